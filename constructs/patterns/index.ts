export { SignedInApp } from './signed-in-app.js';
export type { SignedInAppProps } from './signed-in-app.js';
export { TeamSpace } from './team-space.js';
export type { TeamSpaceProps } from './team-space.js';
export { EventPipeline } from './event-pipeline.js';
export type { EventPipelineProps } from './event-pipeline.js';
