// The browser that looks at pages.
import { chromium } from "playwright-core";

/** For anything that is awaited: on a machine that starts JVMs beside it a browser may take long. */
export const PATIENCE_MS = 120_000;

/** Starts the Chromium that CHROME names; it asks nobody for anything by itself. */
export function launch() {
  return chromium.launch({
    executablePath: process.env.CHROME,
    timeout: PATIENCE_MS,
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
}
