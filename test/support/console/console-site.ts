/** A site for tests of the console: pages of blocks with rich text in them. */
import type { Space } from "../../../scripts/harness/api.ts";
import { call } from "./console-content.ts";

/** Makes the components of a page, and the collections `articles` and `sheets`, which hold them. */
export async function site(space: Space): Promise<void> {
  const model = (typeModel: string, name: string, fields: object[], more: object = {}): Promise<unknown> =>
    call(space, "POST", "/models", { typeModel, name, fields, ...more });
  await model("collections", "articles", [{ name: "title", type: "string", required: true }]);
  await model("components", "button", [
    { name: "words", type: "string" },
    { name: "href", type: "string", required: true, pattern: "^/" },
  ]);
  await model(
    "components",
    "hero",
    [
      { name: "headline", type: "string", required: true },
      { name: "picture", type: "media" },
      { name: "cta", type: "component", component: "button" },
    ],
    { label: "Hero" },
  );
  await model("components", "quote", [{ name: "said", type: "text" }], { label: "Quote" });
  await model("components", "callout", [{ name: "remark", type: "string", required: true }], {
    label: "Callout",
  });
  await model("collections", "sheets", [
    { name: "title", type: "string" },
    {
      name: "body",
      type: "richtext",
      image: true,
      components: ["callout"],
      annotations: ["link", { name: "internalLink", to: "articles" }],
    },
    { name: "sections", type: "blocks", components: ["hero", "quote"], max: 4 },
    { name: "way", type: "component", component: "button" },
    { name: "steps", type: "component", component: "quote", multiple: true },
  ]);
}

/** Text of Google Docs as it comes by the clipboard: in a bold element that is not bold, lists beside their items. */
export const FROM_GOOGLE_DOCS = `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-5e">
<h2 dir="ltr" style="line-height:1.38;margin-top:18pt;"><span style="font-size:16pt;font-weight:400;font-style:normal;">A title</span></h2>
<p dir="ltr" style="line-height:1.38;"><span style="font-weight:400;">Plain, </span><span style="font-weight:700;">bold</span><span style="font-style:italic;"> slanted </span><a href="https://example.com/a" style="text-decoration:none;"><span style="color:#1155cc;text-decoration:underline;">linked</span></a> <a href="javascript:alert(1)">never</a></p>
<br><ul style="margin-top:0;"><li dir="ltr" style="list-style-type:disc;" aria-level="1"><p dir="ltr" role="presentation"><span>first</span></p></li><ul><li dir="ltr" aria-level="2"><p dir="ltr"><span>second</span></p></li></ul></ul>
<script>globalThis.pasted = true</script><img src="x" onerror="globalThis.pasted = true"></b>`;

/** Text of Word as it comes by the clipboard: lists are paragraphs with styles, their markers are text. */
export const FROM_WORD = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p.MsoNormal{margin:0}</style></head>
<body lang=EN><!--StartFragment--><h1>The report<o:p></o:p></h1>
<p class=MsoNormal><b><span style='font-size:14.0pt'>Strong</span></b> and <i>leaning</i><o:p></o:p></p>
<p class=MsoListParagraphCxSpFirst style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='font-family:Symbol'><span style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span><![endif]>a point<o:p></o:p></p>
<p class=MsoListParagraphCxSpLast style='mso-list:l1 level2 lfo2'><span style='mso-list:Ignore'>1.<span>&nbsp; </span></span>a number<o:p></o:p></p>
<p class=MsoNormal><o:p>&nbsp;</o:p></p><!--EndFragment--></body></html>`;
