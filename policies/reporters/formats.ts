import type { TerminalOutput } from '../../core/text/terminal.js';
import type { Report } from './report.js';

/** The output of a format: its text, and the addition to the job summary. */
export interface Rendered {
  readonly text: string;
  readonly jobSummary?: string;
}

/** Renders a report: a pure function of the findings. */
export type Reporter = (report: Report, screen: TerminalOutput) => Rendered;

const textOnly =
  (render: (report: Report) => string): Reporter =>
  (report) => ({ text: render(report) });

/** All formats by name, loaded on demand. */
export const formats = {
  text: () =>
    import('./text.js').then(({ textReport }): Reporter => (report, screen) => ({
      text: textReport(report, screen),
    })),
  json: () => import('./json.js').then(({ jsonReport }) => textOnly(jsonReport)),
  sarif: () => import('./sarif.js').then(({ sarifReport }) => textOnly(sarifReport)),
  junit: () => import('./junit.js').then(({ junitReport }) => textOnly(junitReport)),
  github: () =>
    import('./github.js').then(({ githubReport }): Reporter => (report) => {
      const { annotations, jobSummary } = githubReport(report);
      return { text: annotations, jobSummary };
    }),
  markdown: () => import('./markdown.js').then(({ markdownReport }) => textOnly(markdownReport)),
  html: () => import('./html.js').then(({ htmlReport }) => textOnly(htmlReport)),
} as const satisfies Record<string, () => Promise<Reporter>>;

/** The name of a format. */
export type FormatName = keyof typeof formats;
