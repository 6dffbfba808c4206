import type { AccessRule } from '../../engine/access-rule.js';
import { accessDoorChanged } from './access-door-changed.js';
import { accessLostEveryone } from './access-lost-everyone.js';
import { accessSelfService } from './access-self-service.js';
import { accessUnknown } from './access-unknown.js';
import { accessWidened } from './access-widened.js';

/** All rules about changes of who gets in. */
export const accessRules: readonly AccessRule[] = [
  accessDoorChanged,
  accessLostEveryone,
  accessSelfService,
  accessUnknown,
  accessWidened,
];
