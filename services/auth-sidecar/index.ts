export { propertyPrefix, propertyVariables } from './config/environment.js';
export { loadConfig } from './config/load.js';
export type { ConfigSource } from './config/load.js';
export { problemLine, problemsOf } from './config/problems.js';

/** The error of a refused configuration with the place of each problem; other errors as they are. */
export async function withPlaces(error: unknown): Promise<unknown> {
  const places = await import('./config/located-problems.js'); // its parser is for mistakes only
  return places.withPlaces(error);
}
export type { ConfigProblem } from './config/problems.js';
export { logLevels } from './operations/log.js';
export type { LogLevel } from './operations/log.js';
export { configSource } from './operations/options.js';
export type { SidecarOptions } from './operations/options.js';
export type { ListedSession } from './session/end-session.js';
export { readTheme } from './pages/theme.js';
export type { Dependency } from './operations/readiness.js';
export { startSidecar } from './operations/sidecar.js';
export type { RunningSidecar } from './operations/sidecar.js';
export { serveAsWorker } from './operations/cluster.js';
