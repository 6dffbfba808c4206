import type { Browser } from 'playwright-core';
import { toolPath } from './require-tool.js';

/**
 * The browser for tests, or undefined where none is installed: Chromium's headless shell, which
 * needs half of the processor time of Chromium, or Chromium.
 */
const browserPath = (): string | undefined => toolPath('chromium-headless-shell', 'chromium');

/** Tests in a browser are skipped where none is installed. */
export const isBrowserMissing = (): boolean => browserPath() === undefined;

/** `describe` for tests in a browser, which are skipped where none is installed. */
export function describeInBrowser(title: string, tests: () => void): void {
  if (isBrowserMissing()) describe.skip(`${title} (skipped: Chromium is not installed)`, tests);
  else describe(title, tests);
}

/** Starts a browser that finds the sandbox's apps, such as `shop.localhost`, on this machine. */
export async function launchBrowser(): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  return await chromium.launch({
    executablePath: browserPath()!,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--host-resolver-rules=MAP *.localhost 127.0.0.1',
    ],
  });
}
