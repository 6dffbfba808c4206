import type { Document, YAMLError } from 'yaml';
import type { Problem, ProblemId } from '../source/problem.js';
import type { SourceText } from '../source/source-text.js';

/** The first mistake that `yaml` has found in a document. */
export function firstSyntaxError(document: Document.Parsed): YAMLError | undefined {
  const tags = document.warnings.filter(({ code }) => code === 'TAG_RESOLVE_FAILED');
  return [...document.errors, ...tags].sort((a, b) => a.pos[0] - b.pos[0])[0];
}

/** A mistake as it is reported, in the words of castellan. */
export function problemOf({ code, message, pos }: YAMLError, source: SourceText): Problem {
  const location = source.location(pos[0], pos[1]);
  const [id, text] = describeError(
    code,
    message,
    source.text.slice(pos[0], pos[1]),
    source.line(location.line),
  );
  return { id, message: text, location };
}

function describeError(
  code: string,
  message: string,
  excerpt: string,
  line: string,
): readonly [ProblemId, string] {
  if (code === 'TAB_AS_INDENT' || /^\s*\t/.test(line))
    return ['config-tab', 'a tab indents this line; YAML indents with spaces only'];
  if (code === 'TAG_RESOLVE_FAILED')
    return ['config-tag', `the tag ${excerpt || message} is not known here; remove it`];
  if (code === 'BAD_ALIAS') return ['config-alias', `the alias ${excerpt} has no anchor before it`];
  return ['config-syntax', `${lowerFirst(message)}`];
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
