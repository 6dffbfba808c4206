/** A badge as SVG: what it is about in grey, its value beside it. */
export function badge(name: string, value: string): string {
  const [left, right] = [widthOf(name), widthOf(value)];
  const width = left + right;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="22" role="img" aria-label="${name}: ${value}">
<title>${name}: ${value}</title>
<clipPath id="round"><rect width="${width}" height="22" rx="4"/></clipPath>
<g clip-path="url(#round)"><rect width="${left}" height="22" fill="#424a53"/><rect x="${left}" width="${right}" height="22" fill="#0a6640"/></g>
<g fill="#ffffff" font-family="Verdana,'DejaVu Sans',sans-serif" font-size="11"><text x="8" y="15" textLength="${left - 16}">${name}</text><text x="${left + 8}" y="15" textLength="${right - 16}">${value}</text></g>
</svg>
`;
}

/** In pixels: a padding of 8 on both sides, and about 7 for each letter of the typeface. */
function widthOf(text: string): number {
  return 16 + 7 * text.length;
}
