import type { Screen } from '../../core/text/terminal.js';
import type { Report } from './report.js';

/** What a format makes of a report: its text, and what goes into the job summary where it runs. */
export interface Rendered {
  readonly text: string;
  readonly jobSummary?: string;
}

/** Makes the text of a report: a pure function of the findings. */
export type Reporter = (report: Report, screen: Screen) => Rendered;

const plain =
  (render: (report: Report) => string): Reporter =>
  (report) => ({ text: render(report) });

/** Every format by its name, loaded when it is asked for. */
export const formats = {
  text: () => import('./text.js').then(({ textReport }): Reporter => (report, screen) => ({ text: textReport(report, screen) })),
  json: () => import('./json.js').then(({ jsonReport }) => plain(jsonReport)),
  sarif: () => import('./sarif.js').then(({ sarifReport }) => plain(sarifReport)),
  junit: () => import('./junit.js').then(({ junitReport }) => plain(junitReport)),
  github: () =>
    import('./github.js').then(({ githubReport }): Reporter => (report) => {
      const { annotations, jobSummary } = githubReport(report);
      return { text: annotations, jobSummary };
    }),
  markdown: () => import('./markdown.js').then(({ markdownReport }) => plain(markdownReport)),
  html: () => import('./html.js').then(({ htmlReport }) => plain(htmlReport)),
} as const satisfies Record<string, () => Promise<Reporter>>;

/** The name of a format. */
export type FormatName = keyof typeof formats;
