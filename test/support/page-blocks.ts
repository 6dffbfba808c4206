/** A fenced block of a page: the words after its fence, and its lines. */
export interface Block {
  readonly info: string;
  readonly lines: readonly string[];
  /** The lines of the page that it takes, without its fences. */
  readonly start: number;
  readonly end: number;
}

/** The fenced blocks of a page; a fence of four closes one of four. */
export function blocksOf(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  let open: { readonly start: number; readonly fence: string } | undefined;
  lines.forEach((line, index) => {
    const fence = /^`{3,}/.exec(line)?.[0];
    if (fence === undefined) return;
    if (open === undefined) open = { start: index + 1, fence };
    else if (line.trimEnd() === open.fence) {
      const { start } = open;
      blocks.push({
        info: (lines[start - 1] ?? '').slice(fence.length),
        lines: lines.slice(start, index),
        start,
        end: index,
      });
      open = undefined;
    }
  });
  return blocks;
}
