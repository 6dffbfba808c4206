import { fit, link, paint, type Screen } from '../core/text/terminal.js';

/**
 * A page of Markdown for a terminal: bold headings, marked code, wrapped text. Files and pipes get
 * the source.
 */
export function renderMarkdown(page: string, screen: Screen): string {
  if (screen.columns === undefined) return page;
  let isCode = false;
  const lines = page.split('\n').flatMap((line) => {
    if (line.startsWith('```')) {
      isCode = !isCode;
      return [];
    }
    if (isCode) return [paint(`    ${line}`.trimEnd(), 'info', screen)];
    const [, marks, heading] = /^(#+) (.*)$/.exec(line) ?? [];
    if (marks !== undefined && heading !== undefined)
      return [fit(paint(marks === '#' ? heading : heading.toUpperCase(), 'bold', screen), screen)];
    return [fit(inline(line.replace(/^\* /, '• '), screen), screen)];
  });
  return lines.join('\n');
}

function inline(text: string, screen: Screen): string {
  return text
    .replace(/\[([^\]]+)\]\(([^)]+)\)/g, (_all, words: string, target: string) =>
      link(words, /^https?:/.test(target) ? target : undefined, screen),
    )
    .replace(/\*\*([^*]+)\*\*/g, (_all, words: string) => paint(words, 'bold', screen))
    .replace(/`([^`]+)`/g, (code, words: string) =>
      screen.color ? paint(words, 'info', screen) : code,
    );
}
