/**
 * The rules about a stack besides its declarations; `policies/check/stack-settings.ts` runs them.
 */
export { locationUnknown } from './location-unknown.js';
export { overlayUnmatched } from './overlay-unmatched.js';
