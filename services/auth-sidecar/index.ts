export { propertyPrefix, propertyVariables } from './config/environment.js';
export { loadConfig } from './config/load-config.js';
export type { ConfigSource } from './config/load-config.js';
export { problemLine, problemsOf } from './config/problems.js';

/** The error of a refused configuration with the location of each problem; other errors unchanged. */
export async function locateProblems(error: unknown): Promise<unknown> {
  // Only a configuration with mistakes needs the parser that knows locations.
  const locatedProblems = await import('./config/located-problems.js');
  return locatedProblems.locateProblems(error);
}
export type { ConfigProblem } from './config/problems.js';
export { configSource } from './operations/options.js';
export type { SidecarOptions } from './operations/options.js';
export type { ListedSession } from './session/list-and-end-sessions.js';
export { readTheme } from './pages/theme.js';
export type { Dependency } from './operations/readiness.js';
export { startSidecar } from './operations/sidecar.js';
export type { RunningSidecar } from './operations/sidecar.js';
export { serveAsWorker } from './operations/cluster.js';
