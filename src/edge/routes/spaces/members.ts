/** The routes of a space's members (RULES 2.6). */
import * as z from "zod";
import { notFound } from "../../../errors.ts";
import { MEMBER } from "../../../limits.ts";
import { listOf, oneOf, pageQuery } from "../../http/answers/pages.ts";
import type { AppContext } from "../../http/context.ts";
import { endpoint, respond, type App } from "../../http/endpoint.ts";
import { originOf } from "../../http/origin.ts";
import type { Caller } from "../../spaces/authorize.ts";
import { changeMember, inviteMember, memberView, removeMember, signMemberOut } from "../../spaces/members.ts";
import { ROLES } from "../../spaces/roles.ts";
import { closePage, lastIdOf, openPage } from "../../storage/pages/list-page.ts";
import { listMemberRows, readMember, type ChangeBy } from "../../storage/spaces/members.ts";
import { scopesGiven, scopesShown, scopesSuitRole } from "./scopes-schema.ts";

const tag = "Members";
const PATH = "/api/v1/:spaceName/members";

const member = z
  .object({
    id: z.string(),
    email: z.string(),
    role: z.enum(ROLES),
    scopes: scopesShown,
    bound: z.boolean().meta({ description: "Whether a first sign-in has bound a person of the provider" }),
    lastSeenAt: z.iso.datetime().nullable().meta({ description: "The last sign-in" }),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "Member" });

const ADDRESS = /^[^\s@,]+@[^\s@,]+$/;

const newMember = z
  .strictObject({
    email: z
      .string()
      .max(MEMBER.emailMaxCharacters)
      .refine((text) => ADDRESS.test(text.trim()), "must be an address, such as ada@example.com"),
    role: z.enum(ROLES),
    scopes: scopesGiven.nullish(),
  })
  .superRefine(scopesSuitRole);

const memberChange = z
  .strictObject({
    role: z.enum(ROLES).optional(),
    scopes: scopesGiven.nullish().meta({ description: "Replaces the scopes; null for the whole space" }),
    bound: z
      .literal(false)
      .optional()
      .meta({ description: "`false`: the next sign-in with the address may bind another person" }),
  })
  .superRefine(scopesSuitRole);

const byOf = (c: AppContext, caller: Caller): ChangeBy => ({ origin: originOf(c, caller), now: Date.now() });
const idOf = (c: AppContext): string => c.req.param("memberId") ?? "";

export function mountMembers(app: App): void {
  endpoint(
    app,
    {
      method: "post",
      path: PATH,
      access: "admin",
      reaches: "everything",
      body: newMember,
      doc: {
        operationId: "createMember",
        tag,
        summary: "Invite a person by address",
        description:
          "The person signs in at the console by the deployment's OpenID provider, which has to call the address " +
          "verified. The first sign-in binds the person; another one with the same address is refused.",
        answers: { 201: { description: "The member", schema: oneOf(member) } },
        errors: ["CONFLICT"],
      },
    },
    async ({ c, caller, body }) => {
      const { scopes = null, ...rest } = body;
      const made = await inviteMember(c.get("db"), caller, { ...rest, scopes }, byOf(c, caller));
      return respond(c, memberView(made), { status: 201 });
    },
  );

  endpoint(
    app,
    {
      method: "get",
      path: PATH,
      access: "admin",
      reaches: "everything",
      query: z.strictObject(pageQuery),
      doc: {
        operationId: "listMembers",
        tag,
        summary: "List members, newest first",
        answers: { 200: { description: "A page of members", schema: listOf(member) } },
        errors: ["INVALID_CURSOR"],
      },
    },
    async ({ c, space, query }) => {
      const page = await openPage(c.env.CURSOR_SECRET, ["members", space.id], query);
      const found = await listMemberRows(c.get("db"), space.id, page.limit + 1, lastIdOf(page));
      const { rows, meta } = await closePage(page, found, ({ id }) => [id]);
      return respond(c, rows.map(memberView), { meta });
    },
  );

  endpoint(
    app,
    {
      method: "get",
      path: `${PATH}/:memberId`,
      access: "admin",
      reaches: "everything",
      doc: {
        operationId: "getMember",
        tag,
        summary: "Read a member",
        answers: { 200: { description: "The member", schema: oneOf(member) } },
        errors: [],
      },
    },
    async ({ c, space }) => {
      const found = await readMember(c.get("db"), space.id, idOf(c));
      if (!found) throw notFound("The member");
      return respond(c, memberView(found));
    },
  );

  endpoint(
    app,
    {
      method: "patch",
      path: `${PATH}/:memberId`,
      access: "admin",
      reaches: "everything",
      body: memberChange,
      doc: {
        operationId: "updateMember",
        tag,
        summary: "Change a member's role or scopes",
        description: "It holds for the member's sessions from the next request. Its preview tokens end.",
        answers: { 200: { description: "The member", schema: oneOf(member) } },
        errors: [],
      },
    },
    async ({ c, caller, body }) =>
      respond(c, memberView(await changeMember(c.get("db"), caller, idOf(c), body, byOf(c, caller)))),
  );

  endpoint(
    app,
    {
      method: "delete",
      path: `${PATH}/:memberId`,
      access: "admin",
      reaches: "everything",
      doc: {
        operationId: "deleteMember",
        tag,
        summary: "Remove a member, whose sessions and preview tokens end at once",
        description: "The keys that the member has made stay; the answer names them.",
        answers: {
          200: {
            description: "Removed",
            schema: oneOf(
              z.object({ id: z.string(), state: z.literal("removed"), keys: z.array(z.string()) }),
            ),
          },
        },
        errors: [],
      },
    },
    async ({ c, caller, space }) => {
      const id = idOf(c);
      const keys = await removeMember(c.get("db"), space, id, byOf(c, caller));
      return respond(c, { id, state: "removed", keys });
    },
  );

  endpoint(
    app,
    {
      method: "delete",
      path: `${PATH}/:memberId/sessions`,
      access: "admin",
      reaches: "everything",
      doc: {
        operationId: "endMemberSessions",
        tag,
        summary: "End all sessions and preview tokens of a member",
        answers: {
          200: {
            description: "Ended",
            schema: oneOf(z.object({ id: z.string(), state: z.literal("signedOut") })),
          },
        },
        errors: [],
      },
    },
    async ({ c, caller, space }) => {
      const id = idOf(c);
      await signMemberOut(c.get("db"), space, id, byOf(c, caller));
      return respond(c, { id, state: "signedOut" });
    },
  );
}
