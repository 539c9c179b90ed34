// The two ways of running the page: the program's own server, and the files of site/dist on a host.

import { execFileSync, spawn } from "node:child_process";
import { createReadStream, existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
export const PROGRAM = process.env.FLIPCOST ?? join(ROOT, "target/release/flipcost");
export const DIST = process.env.FLIPCOST_SITE ?? join(ROOT, "site/dist");
const TYPES = { ".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".json": "application/json", ".gz": "application/gzip" };

/** Starts `flipcost explore` on this port, or on any free port. */
async function server(port = 0) {
  const child = spawn(PROGRAM, ["explore", "--port", String(port)], { stdio: ["ignore", "pipe", "inherit"] });
  const url = await new Promise((resolve, reject) => {
    child.stdout.once("data", (data) => resolve(String(data).trim()));
    child.once("exit", (code) => reject(new Error(`flipcost explore ended with ${code}`)));
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  return { name: "the server", url, close: () => (child.kill("SIGINT"), ended) };
}

/** Serves only the files, as a static host does. */
async function files() {
  if (!existsSync(join(DIST, "engine.wasm.gz"))) throw new Error(`site/build.sh first: there is no ${DIST}/engine.wasm.gz`);
  const host = createServer(async (request, response) => {
    const path = normalize(new URL(request.url, "http://host").pathname).replace(/\/$/, "/index.html");
    const file = join(DIST, path);
    const found = await stat(file).catch(() => null);
    if (!found?.isFile()) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
    return createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => host.listen(0, "127.0.0.1", resolve));
  return { name: "the files", url: `http://127.0.0.1:${host.address().port}/`, close: () => {
    host.closeAllConnections();
    host.close();
  } };
}

export const WAYS = { server, files };

export const launch = () => chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium-headless-shell", args: ["--no-sandbox"] });

/** Returns the program's answer to a query. */
export const ask = (query) => JSON.parse(execFileSync(PROGRAM, ["ask", "-"], { encoding: "utf8", input: JSON.stringify(query) }));

/** Opens a view and waits for this text; `complaints` collects the messages of the console. */
export async function openPage(browser, url, says, { script, ...options } = {}) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options });
  page.setDefaultTimeout(60_000);
  page.complaints = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && page.complaints.push(message.text()));
  page.on("pageerror", (error) => page.complaints.push(error.message));
  if (script) await page.addInitScript(script);
  await page.goto(url);
  if (says) await page.getByText(says).first().waitFor();
  return page;
}
