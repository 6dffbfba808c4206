/** A rectangle, in pixels. */
export interface Box {
  /** The left edge. */
  readonly x: number;
  /** The top edge. */
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

type Size = Pick<Box, 'width' | 'height'>;

/** Boxes beside and below each other, and the size of all of them together. */
export interface PackedBoxes extends Size {
  /** In the order of the sizes that were packed. */
  readonly boxes: readonly Box[];
}

/** The width of a screen divided by its height. */
const screenProportion = 1.7;

/** Puts boxes into rows of about the proportions of a screen, the tallest first. */
export function packBoxes(sizes: readonly Size[], space = 24): PackedBoxes {
  const area = sizes.reduce((sum, size) => sum + (size.width + space) * (size.height + space), 0);
  const widest = Math.max(0, ...sizes.map(({ width }) => width));
  const rowWidth = Math.max(widest, Math.sqrt(area * screenProportion));
  const order = sizes
    .map((size, index) => ({ ...size, index }))
    .toSorted((a, b) => b.height - a.height || a.index - b.index);
  const boxes: Box[] = [];
  let [x, y, rowHeight, width] = [0, 0, 0, 0];
  for (const size of order) {
    if (x > 0 && x + size.width > rowWidth) {
      x = 0;
      y += rowHeight + space;
      rowHeight = 0;
    }
    boxes[size.index] = { x, y, width: size.width, height: size.height };
    x += size.width + space;
    width = Math.max(width, x - space);
    rowHeight = Math.max(rowHeight, size.height);
  }
  return { boxes, width, height: y + rowHeight };
}
