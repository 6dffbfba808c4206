import { drawPicture } from '../../core/graph/page-picture.js';
import type { GraphNode } from '../../core/graph/graph.js';
import type { EnvironmentVariables } from '../../core/process/environment-variables.js';
import type { StackConfig } from '../../kinds/stack/schema.js';
import { stackGraph } from '../../policies/check/stack-graph.js';
import { loadConfig } from '../../policies/model/load-config.js';
import type { SandboxPaths } from '../paths.js';
import { appliedStackFiles } from './applied-stack-files.js';

/** Each applied stack as a picture, with nodes linked to their pages in the console. */
export async function drawStackPictures(
  paths: SandboxPaths,
  env: EnvironmentVariables,
): Promise<readonly { readonly name: string; readonly svg: string }[]> {
  const pictures = [];
  for (const { name, file } of appliedStackFiles(paths)) {
    const { stacks } = await loadConfig({
      paths: [file],
      environment: paths.environment,
      cwd: paths.projectDir,
    });
    const stack = stacks.find(({ config }) => config.stack === name);
    if (stack === undefined) continue;
    const graph = stackGraph(stack, env);
    const nodes = graph.nodes.map((node) => ({ ...node, ...consoleLinkOf(node, stack.config) }));
    pictures.push({ name, svg: drawPicture({ ...graph, nodes }) });
  }
  return pictures;
}

/** The link to a node's page in the console. Principals other than users have none. */
function consoleLinkOf(
  { section, name, type }: GraphNode,
  { groups, registrations, workspaces, eventhouses, eventstreams }: StackConfig,
): { readonly href?: string } {
  if (section === 'Principals' && type !== 'user') return {};
  const titles: Readonly<Record<string, string | undefined>> = {
    Groups: groups?.[name]?.mailNickname,
    Registrations: registrations?.[name]?.displayName,
    Workspaces: workspaces?.[name]?.displayName,
    Eventhouses: eventhouses?.[name]?.displayName,
    Eventstreams: eventstreams?.[name]?.displayName,
  };
  const title = titles[section] ?? name;
  return { href: `#/${section.toLowerCase().replaceAll(' ', '-')}/${encodeURIComponent(title)}` };
}
