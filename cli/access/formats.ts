/** How `castellan access` prints; the last two show a change. */
export const accessFormats = ['text', 'json', 'markdown', 'mermaid'] as const;
