import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  requestIdOfPage,
  withExplanation,
  writeSidecarTheme,
} from '../../../sandbox/explanation/sidecar-theme.js';
import { readTheme } from '../../../services/auth-sidecar/pages/theme.js';
import { Pages } from '../../../services/auth-sidecar/pages/pages.js';

describe('the pages of the sandbox’s sign-in layers', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'castellan-pages-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('take an explanation before their links, and a link to the trace', () => {
    writeSidecarTheme(folder);
    const links = [{ label: 'Sign in again', href: '/.auth/login/directory' }];
    const { html } = new Pages(readTheme(folder)).error(403, 'Not you.', 'Ab_-9z', links);
    expect(requestIdOfPage(html)).toBe('Ab_-9z');
    const explained = withExplanation(html, '<b>why</b>', '/trace');
    expect(explained).toMatch(
      /<b>why<\/b><ul>.*request <a href="\/trace">Ab_-9z<\/a><\/p><\/main>/s,
    );
  });

  it('are recognized by a marker that pages of apps lack', () => {
    writeSidecarTheme(folder);
    expect(requestIdOfPage('<p class="facts">403 · request x</p>')).toBeUndefined();
    expect(readFileSync(join(folder, 'page.html'), 'utf8')).toMatch(/<!--castellan [\w-]{24}-->/);
  });
});
