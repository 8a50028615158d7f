/** A small export of WordPress (WXR), with a post of each kind that the importer knows. */

interface Item {
  id: number;
  title: string;
  type?: string;
  status?: string;
  content?: string;
  excerpt?: string;
  date?: string;
  modified?: string;
  parent?: number;
  link?: string;
  attachmentUrl?: string;
  password?: string;
  sticky?: boolean;
  terms?: [domain: string, nicename: string, name: string][];
  meta?: [key: string, value: string][];
}

const cdata = (text: string): string => `<![CDATA[${text}]]>`;

const itemOf = ({ id, title, type = "post", status = "publish", ...rest }: Item): string => `
  <item>
    <title>${cdata(title)}</title>
    <link>${rest.link ?? `https://blog.test/${type}-${id}/`}</link>
    <dc:creator>${cdata("ada")}</dc:creator>
    <content:encoded>${cdata(rest.content ?? "")}</content:encoded>
    <excerpt:encoded>${cdata(rest.excerpt ?? "")}</excerpt:encoded>
    <wp:post_id>${id}</wp:post_id>
    <wp:post_date>${rest.date ?? "2024-05-06 09:08:07"}</wp:post_date>
    <wp:post_date_gmt>${rest.date ?? "2024-05-06 07:08:07"}</wp:post_date_gmt>
    <wp:post_modified_gmt>${rest.modified ?? rest.date ?? "2024-05-07 07:08:07"}</wp:post_modified_gmt>
    <wp:post_name>${cdata(`${type}-${id}`)}</wp:post_name>
    <wp:status>${cdata(status)}</wp:status>
    <wp:post_parent>${rest.parent ?? 0}</wp:post_parent>
    <wp:menu_order>3</wp:menu_order>
    <wp:post_type>${cdata(type)}</wp:post_type>
    <wp:post_password>${cdata(rest.password ?? "")}</wp:post_password>
    <wp:is_sticky>${rest.sticky === true ? 1 : 0}</wp:is_sticky>
    ${rest.attachmentUrl === undefined ? "" : `<wp:attachment_url>${cdata(rest.attachmentUrl)}</wp:attachment_url>`}
    ${(rest.terms ?? []).map(([domain, nicename, name]) => `<category domain="${domain}" nicename="${nicename}">${cdata(name)}</category>`).join("")}
    ${(rest.meta ?? []).map(([key, value]) => `<wp:postmeta><wp:meta_key>${cdata(key)}</wp:meta_key><wp:meta_value>${cdata(value)}</wp:meta_value></wp:postmeta>`).join("")}
  </item>`;

const BLOCKS = `<!-- wp:paragraph --><p>A <strong>bold</strong> start with a <a href="https://blog.test/post-2/">post</a> and a <a href="https://blog.test/page-3/">page</a>.</p><!-- /wp:paragraph -->
<!-- wp:heading {"level":5} --><h5>Small heading</h5><!-- /wp:heading -->
<!-- wp:image {"id":10} --><figure class="wp-block-image"><img src="https://blog.test/files/beach-300x200.jpg" alt="The beach" class="wp-image-10"/><figcaption>At low tide</figcaption></figure><!-- /wp:image -->
<!-- wp:list --><ul><li>One<ul><li>Inner</li></ul></li><li>Two</li></ul><!-- /wp:list -->
<!-- wp:code --><pre class="wp-block-code"><code class="language-js">let a = 1;
let b;</code></pre><!-- /wp:code -->
<!-- wp:table --><figure class="wp-block-table"><table><thead><tr><th>Name</th><th>Age</th></tr></thead><tbody><tr><td>Ada</td><td>36</td></tr></tbody></table></figure><!-- /wp:table -->
<!-- wp:embed {"url":"https://video.test/watch?v=1"} --><figure><div>https://video.test/watch?v=1</div><figcaption>The video</figcaption></figure><!-- /wp:embed -->
<!-- wp:separator --><hr class="wp-block-separator"/><!-- /wp:separator -->
<!-- wp:quote --><blockquote><p>Stay hungry.</p><cite>Steve</cite></blockquote><!-- /wp:quote -->
<!-- wp:latest-posts /-->
<!-- wp:verse --><pre class="wp-block-verse">First line
second line</pre><!-- /wp:verse -->`;

const CLASSIC = `A first paragraph with <em>words</em>
and a second line.

[caption id="attachment_10" width="300"]<img class="wp-image-10" src="https://blog.test/files/beach.jpg" alt="" /> The caption[/caption]

https://video.test/watch?v=2

<!--more-->

[gallery ids="10,11"]

The end <a href="javascript:alert(1)">of it</a>. [sic] [slider id="4"]`;

/** Returns the export of a blog that has some items. */
export const wordPressXml = (items: readonly Item[]): string => `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:excerpt="https://wordpress.org/export/1.2/excerpt/" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="https://wordpress.org/export/1.2/">
<channel>
  <title>A blog</title>
  <link>https://blog.test</link>
  <wp:wxr_version>1.2</wp:wxr_version>
  <wp:base_blog_url>https://blog.test</wp:base_blog_url>
  <wp:author><wp:author_id>1</wp:author_id><wp:author_login>${cdata("ada")}</wp:author_login><wp:author_email>ada@blog.test</wp:author_email><wp:author_display_name>${cdata("Ada L.")}</wp:author_display_name><wp:author_first_name>${cdata("Ada")}</wp:author_first_name><wp:author_last_name>${cdata("Lovelace")}</wp:author_last_name></wp:author>
  <wp:category><wp:term_id>1</wp:term_id><wp:category_nicename>news</wp:category_nicename><wp:category_parent></wp:category_parent><wp:cat_name>${cdata("News")}</wp:cat_name></wp:category>
  <wp:category><wp:term_id>2</wp:term_id><wp:category_nicename>local</wp:category_nicename><wp:category_parent>news</wp:category_parent><wp:cat_name>${cdata("Local & near")}</wp:cat_name></wp:category>
  <wp:tag><wp:term_id>3</wp:term_id><wp:tag_slug>sea</wp:tag_slug><wp:tag_name>${cdata("Sea")}</wp:tag_name></wp:tag>
${items.map(itemOf).join("")}
</channel>
</rss>
`;

export const WORDPRESS_XML = wordPressXml(
  [
    {
      id: 1,
      title: "With blocks &amp; more",
      content: BLOCKS,
      sticky: true,
      excerpt: "<p>Short &amp; sweet</p>",
    },
    { id: 2, title: "Classic", content: CLASSIC, modified: "2024-06-01 00:00:00" },
    { id: 3, title: "A page", type: "page", content: "<p>Text</p>" },
    { id: 4, title: "Below", type: "page", parent: 3 },
    { id: 5, title: "Draft", status: "draft", date: "0000-00-00 00:00:00", modified: "2024-07-01 10:00:00" },
    { id: 6, title: "Planned", status: "future", date: "2030-01-01 08:00:00" },
    { id: 7, title: "Planned once", status: "future", date: "2020-01-01 08:00:00" },
    { id: 8, title: "Private", status: "private" },
    { id: 9, title: "Secret", password: "swordfish" },
    {
      id: 10,
      title: "beach",
      type: "attachment",
      status: "inherit",
      attachmentUrl: "https://blog.test/files/beach.jpg",
      parent: 1,
      meta: [["_wp_attachment_image_alt", "Sand"]],
    },
    {
      id: 11,
      title: "hill",
      type: "attachment",
      status: "inherit",
      attachmentUrl: "https://blog.test/files/hill.png",
    },
    {
      id: 12,
      title: "a paper",
      type: "attachment",
      status: "inherit",
      attachmentUrl: "https://blog.test/files/paper.pdf",
    },
    { id: 13, title: "Menu", type: "nav_menu_item" },
    {
      id: 14,
      title: "Recipe",
      type: "recipe",
      meta: [
        ["minutes", "20"],
        ["step", "Boil"],
        ["step", "Eat"],
        ["_hidden", "x"],
      ],
    },
  ].map((item) => ({
    ...item,
    ...(item.id === 1 && {
      terms: [
        ["category", "local", "Local & near"],
        ["post_tag", "sea", "Sea"],
        ["post_format", "post-format-gallery", "Gallery"],
      ] as Item["terms"],
      meta: [
        ["_thumbnail_id", "11"],
        ["mood", "calm"],
      ] as Item["meta"],
    }),
    ...(item.id === 2 && { meta: [["_thumbnail_id", "12"]] as Item["meta"] }),
  })) as Item[],
);
