import { describe, expect, it } from 'vitest';
import { RecentSignIns } from '../../../sandbox/explanation/recent-sign-ins.js';

describe('recent sign-ins', () => {
  it('are found by the state in the callback URL of the application', () => {
    const signIns = new RecentSignIns();
    signIns.add('s-1', { personId: 'ada', clientId: 'app' });
    expect(signIns.findByCallbackUrl('/callback?code=x&state=s-1')).toEqual({
      personId: 'ada',
      clientId: 'app',
    });
    expect(signIns.findByCallbackUrl('/callback?code=x&state=s-2')).toBeUndefined();
    expect(signIns.findByCallbackUrl('/callback')).toBeUndefined();
  });

  it('are found by a state that follows a second question mark', () => {
    const signIns = new RecentSignIns();
    const signIn = { personId: 'ada', clientId: 'app' };
    signIns.add('s-1?', signIn);
    expect(signIns.findByCallbackUrl('/callback?code=x?y&state=s-1?')).toEqual(signIn);
  });
});
