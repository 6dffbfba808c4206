import { wrapLines, terminalLink, styled, type TerminalOutput } from '../core/text/terminal.js';

/**
 * A page of Markdown for a terminal: bold headings, coloured code, wrapped text. Files and pipes
 * get the Markdown itself.
 */
export function renderMarkdown(page: string, screen: TerminalOutput): string {
  if (screen.columns === undefined) return page;
  let isCode = false;
  const lines = page.split('\n').flatMap((line) => {
    if (line.startsWith('```')) {
      isCode = !isCode;
      return [];
    }
    if (isCode) return [styled(`    ${line}`.trimEnd(), 'info', screen)];
    const [, marks, heading] = /^(#+) (.*)$/.exec(line) ?? [];
    if (marks !== undefined && heading !== undefined)
      return [
        wrapLines(styled(marks === '#' ? heading : heading.toUpperCase(), 'bold', screen), screen),
      ];
    return [wrapLines(renderInline(line.replace(/^\* /, '• '), screen), screen)];
  });
  return lines.join('\n');
}

function renderInline(text: string, screen: TerminalOutput): string {
  return text
    .replace(/\[([^\]]+)\]\(([^)]+)\)/g, (_all, words: string, target: string) =>
      terminalLink(words, /^https?:/.test(target) ? target : undefined, screen),
    )
    .replace(/\*\*([^*]+)\*\*/g, (_all, words: string) => styled(words, 'bold', screen))
    .replace(/`([^`]+)`/g, (code, words: string) =>
      screen.color ? styled(words, 'info', screen) : code,
    );
}
