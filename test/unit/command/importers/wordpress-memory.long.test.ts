/** The memory that the reading of a large export of WordPress takes. */
import { execFile } from "node:child_process";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { writeFixture } from "../../../support/exports/read-site.ts";

const POSTS = 20_000;
/** The memory of V8 for objects, in megabytes: about half of the file. */
const HEAP_MB = 40;

it("does not grow with the texts of the file", async () => {
  const path = writeFixture(
    "large.xml",
    '<rss version="2.0"><channel><link>https://old.example.com</link><wp:base_blog_url>https://old.example.com</wp:base_blog_url>',
  );
  const words = "Some words of a post that is long. ".repeat(110);
  let items = "";
  for (let n = 1; n <= POSTS; n++) {
    items += `<item><title>Post ${n}</title><link>https://old.example.com/a-long-way-to/post-${n}/</link>
<wp:post_id>${n}</wp:post_id><wp:post_type>post</wp:post_type><wp:status>publish</wp:status>
<content:encoded><![CDATA[${words}]]></content:encoded></item>`;
    if (n % 1000 > 0) continue;
    appendFileSync(path, items);
    items = "";
  }
  appendFileSync(path, "</channel></rss>");
  const program = join(process.cwd(), "src/command/index.ts");
  const args = [`--max-old-space-size=${HEAP_MB}`, program, "import", "--from", "wordpress", path];
  const { stdout } = await promisify(execFile)(process.execPath, [...args, "--dry-run"]);
  expect(stdout).toContain(`${POSTS} records`);
});
