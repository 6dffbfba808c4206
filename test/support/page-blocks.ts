/** A fenced block of a page: the words after its fence, and its lines. */
export interface Block {
  readonly info: string;
  readonly lines: readonly string[];
  /** The indexes of its first line and after its last one, without the fences. */
  readonly start: number;
  readonly end: number;
}

/** The fenced blocks of a page; a fence is closed by one of the same length. */
export function blocksOf(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  let openBlock: { readonly start: number; readonly fence: string } | undefined;
  lines.forEach((line, index) => {
    const fence = /^`{3,}/.exec(line)?.[0];
    if (fence === undefined) return;
    if (openBlock === undefined) openBlock = { start: index + 1, fence };
    else if (line.trimEnd() === openBlock.fence) {
      const { start } = openBlock;
      blocks.push({
        info: (lines[start - 1] ?? '').slice(fence.length),
        lines: lines.slice(start, index),
        start,
        end: index,
      });
      openBlock = undefined;
    }
  });
  return blocks;
}
