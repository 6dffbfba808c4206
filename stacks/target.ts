export { type Target, targetOf } from '../core/sandbox/target.js';
