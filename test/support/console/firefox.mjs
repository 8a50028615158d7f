#!/usr/bin/env node
/**
 * Firefox as Playwright starts it, with a relay in front of its WebDriver BiDi socket. Playwright emulates media
 * features in every new context; Firefox 153 has no such command and Playwright takes the refusal for its end. The
 * relay answers that command itself, with success: pages see the browser's own preferences.
 *
 * Playwright opens each page in a window. The relay has it opened in a tab, which takes 0.3 s less of the processor.
 * Contexts keep their storage apart all the same.
 */
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { WebSocket, WebSocketServer } from "ws";

const UNKNOWN = new Set(["emulation.setMediaFeaturesOverride"]);
const LISTENING = /WebDriver BiDi listening on (ws:\/\/\S+)/;

const firefox = spawn(process.env["FIREFOX_BEHIND_RELAY"] ?? "firefox-esr", process.argv.slice(2), {
  stdio: ["ignore", "inherit", "pipe"],
});
firefox.once("exit", (code) => process.exit(code ?? 1));
for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => firefox.kill(signal));

/** @param {string} target */
function relay(target) {
  const server = createServer();
  new WebSocketServer({ server }).on("connection", (near, { url = "" }) => {
    const far = new WebSocket(target + url);
    /** @type {string[]} */
    const early = [];
    near.on("message", (data) => {
      const text = data.toString();
      const command = JSON.parse(text);
      const { id, method, params } = command;
      const sent =
        method === "browsingContext.create"
          ? JSON.stringify({ ...command, params: { ...params, type: "tab" } })
          : text;
      if (UNKNOWN.has(method)) near.send(JSON.stringify({ type: "success", id, result: {} }));
      else if (far.readyState === WebSocket.OPEN) far.send(sent);
      else early.push(sent);
    });
    far.on("open", () => {
      for (const text of early) far.send(text);
    });
    far.on("message", (data) => near.send(data.toString()));
    far.on("close", () => near.close());
    near.on("close", () => far.close());
    for (const socket of [near, far]) socket.on("error", () => socket.close());
  });
  server.listen(0, "127.0.0.1", () =>
    process.stderr.write(`WebDriver BiDi listening on ws://127.0.0.1:${server.address().port}\n`),
  );
}

let log = "";
firefox.stderr.on("data", (chunk) => {
  log += chunk;
  const lines = log.split("\n");
  log = lines.pop() ?? "";
  for (const line of lines) {
    const [, target] = LISTENING.exec(line) ?? [];
    if (target) relay(target);
    else process.stderr.write(`${line}\n`);
  }
});
