import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SourceLocation } from '../../core/findings/finding.js';

/**
 * The line of the user's program that runs `new SomeConstruct(…)` or calls a method, in the original
 * source: cdktf records no such line, and findings need one.
 *
 * @param callee the called method, or `new.target` of the construct's constructor. For a user's
 *   subclass, the line where the subclass was instantiated.
 * @returns undefined if the program was evaluated from text and has no file.
 */
export function callerLocation(callee: (...args: never[]) => unknown): SourceLocation | undefined {
  const holder: { stack?: string } = {};
  const previousLimit = Error.stackTraceLimit;
  Error.stackTraceLimit = 1; // ts-node maps each frame through a source map, and one is needed
  try {
    Error.captureStackTrace(holder, callee);
    return stackTraceLocation(holder.stack);
  } finally {
    Error.stackTraceLimit = previousLimit;
  }
}

const framePattern = /\(?((?:file:\/\/)?[^()\s][^()]*):(\d+):(\d+)\)?$/;

/**
 * The location in a stack trace of one frame, mapped through the source map of a compiled file.
 */
export function stackTraceLocation(stackTrace: string | undefined): SourceLocation | undefined {
  const line = stackTrace?.split('\n').find((each) => each.trimStart().startsWith('at '));
  const match =
    line === undefined
      ? null
      : framePattern.exec(line.trim().replace(/^at (?:async )?(?:new )?/, ''));
  const file = match?.[1];
  if (file === undefined || file.startsWith('node:')) return undefined;
  const path = file.startsWith('file://') ? fileURLToPath(file) : file;
  if (!existsSync(path)) return undefined;
  return originalLocation({ file: path, line: Number(match?.[2]), column: Number(match?.[3]) });
}

const sourceMaps = new Map<string, SourceMap | undefined>();

function originalLocation(compiled: SourceLocation): SourceLocation {
  if (!compiled.file.endsWith('js')) return compiled;
  const origin = sourceMapOf(compiled.file)?.findOrigin(compiled.line, compiled.column);
  if (origin === undefined || !('fileName' in origin)) return compiled;
  const file = origin.fileName.startsWith('file://')
    ? fileURLToPath(origin.fileName)
    : resolve(dirname(compiled.file), origin.fileName);
  return existsSync(file)
    ? { file, line: origin.lineNumber, column: origin.columnNumber }
    : compiled;
}

function sourceMapOf(file: string): SourceMap | undefined {
  if (!sourceMaps.has(file)) sourceMaps.set(file, readSourceMap(file));
  return sourceMaps.get(file);
}

const sourceMapComment = '//# sourceMappingURL=';

function readSourceMap(file: string): SourceMap | undefined {
  const text = readFileSync(file, 'utf8');
  const start = text.lastIndexOf(sourceMapComment);
  const reference = start < 0 ? '' : text.slice(start + sourceMapComment.length).trim();
  if (reference === '' || /\s/.test(reference)) return undefined;
  try {
    const json = reference.startsWith('data:')
      ? dataOf(reference)
      : readFileSync(resolve(dirname(file), reference), 'utf8');
    return new SourceMap(JSON.parse(json) as ConstructorParameters<typeof SourceMap>[0]);
  } catch {
    return undefined; // the map is missing or invalid: the compiled line is still a line that the user can open
  }
}

/** The text of a data URL, which compilers write with `inlineSourceMap`. */
function dataOf(url: string): string {
  const comma = url.indexOf(',');
  const data = url.slice(comma + 1);
  return url.slice(0, comma).endsWith(';base64')
    ? Buffer.from(data, 'base64').toString('utf8')
    : decodeURIComponent(data);
}
