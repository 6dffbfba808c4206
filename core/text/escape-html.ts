import { visible } from './visible.js';

/** Text as HTML shows it, in content and in quoted attributes; what would steer the page or hide in it becomes visible. */
export function escapeHtml(text: string): string {
  return visible(text).replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;').replace(/'/g, '&#39;');
}
