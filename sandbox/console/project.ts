import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { drawPicture } from '../../core/graph/draw-picture.js';
import type { GraphNode } from '../../core/graph/graph.js';
import { codeFrame } from '../../core/text/code-frame.js';
import type { StackConfig } from '../../kinds/stack/schema.js';
import { runCheck } from '../../policies/check/run-check.js';
import { stackGraph } from '../../policies/check/stack-graph.js';
import { loadConfig } from '../../policies/model/load-config.js';
import { secretPlaces } from '../../policies/reporters/text.js';
import type { SandboxPaths } from '../paths.js';

/** The variables for configurations: those of the sandbox's process, and its own ids. */
type Environment = Readonly<Record<string, string | undefined>>;

/** A stack applied to the sandbox, and its file, relative to the project. */
export interface AppliedStack {
  readonly name: string;
  readonly file: string;
}

/** A finding on a page. */
export interface ShownFinding {
  readonly rule: string;
  readonly severity: string;
  readonly verdict: string;
  readonly message: string;
  readonly place?: string;
  readonly frame?: string;
  /** The address that opens the line in the editor. */
  readonly editor?: string;
  /** What an edit that fixes it does. */
  readonly fix?: string;
}

/**
 * The stacks applied here, from the manifests that `castellan up` leaves beside their Terraform
 * JSON.
 */
export function appliedStacks(paths: SandboxPaths): readonly AppliedStack[] {
  const folder = join(paths.root, 'stacks');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .map((name) => ({ name, manifest: join(folder, name, 'castellan.manifest.json') }))
    .filter(({ manifest }) => existsSync(manifest))
    .flatMap(({ name, manifest }) => {
      const { files } = JSON.parse(readFileSync(manifest, 'utf8')) as { files?: readonly string[] };
      const first = files?.[0];
      if (first === undefined || !/\.ya?ml$/.test(first)) return [];
      return [{ name, file: relative(paths.projectDir, resolve(dirname(manifest), first)) }];
    });
}

/** Each applied stack as a diagram, with nodes linked to their pages in the console. */
export async function drawStacks(
  paths: SandboxPaths,
  env: Environment,
): Promise<readonly { readonly name: string; readonly svg: string }[]> {
  const pictures = [];
  for (const { name, file } of appliedStacks(paths)) {
    const { stacks } = await loadConfig({
      paths: [file],
      environment: paths.environment,
      cwd: paths.projectDir,
    });
    const stack = stacks.find(({ config }) => config.stack === name);
    if (stack === undefined) continue;
    const graph = stackGraph(stack, env);
    const nodes = graph.nodes.map((node) => ({ ...node, ...linkOf(node, stack.config) }));
    pictures.push({ name, svg: drawPicture({ ...graph, nodes }) });
  }
  return pictures;
}

/** The page of a node. Principals other than users have none. */
function linkOf(
  { section, name, type }: GraphNode,
  { groups, registrations }: StackConfig,
): { readonly href?: string } {
  if (section === 'Principals' && type !== 'user') return {};
  const title =
    section === 'Groups'
      ? (groups?.[name]?.mailNickname ?? name)
      : section === 'Registrations'
        ? (registrations?.[name]?.displayName ?? name)
        : name;
  return { href: `#/${section.toLowerCase().replaceAll(' ', '-')}/${encodeURIComponent(title)}` };
}

/** The findings of `castellan check` in the present files of the applied stacks. */
export async function findingsOf(
  paths: SandboxPaths,
  env: Environment,
): Promise<readonly ShownFinding[]> {
  const files = [...new Set(appliedStacks(paths).map(({ file }) => file))];
  if (files.length === 0) return [];
  const { findings, sources } = await runCheck({
    paths: files,
    environment: paths.environment,
    cwd: paths.projectDir,
    env,
  });
  const hidden = secretPlaces(findings);
  return findings.map(({ ruleId, severity, verdict, message, location, fix }) => {
    const source = location === undefined ? undefined : sources?.get(location.file);
    return {
      rule: ruleId,
      severity,
      verdict,
      message,
      ...(location === undefined
        ? {}
        : {
            place: `${location.file}:${location.line}:${location.column}`,
            editor: `vscode://file${encodeURI(resolve(paths.projectDir, location.file))}:${location.line}:${location.column}`,
          }),
      ...(fix === undefined ? {} : { fix: fix.description }),
      ...(location === undefined || source === undefined
        ? {}
        : { frame: codeFrame(source, location, hidden) }),
    };
  });
}
