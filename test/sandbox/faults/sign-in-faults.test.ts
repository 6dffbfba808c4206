import { expect, it } from 'vitest';
import { FaultInjector } from '../../../sandbox/faults/injector.js';
import { withClockSkew } from '../../../sandbox/faults/sign-in-faults.js';
import type { SigningKey } from '../../../sandbox/identity-provider/signing-key.js';

const key = { sign: (claims: unknown) => Promise.resolve(JSON.stringify(claims)) };

it.each(['ada@contoso.example', '6F1D2C3B-1111-4222-8333-444455556666'])(
  'dates tokens of the caller %s ahead, and those of nobody else',
  async (caller) => {
    const faults = new FaultInjector({ faults: [{ fault: 'clockAhead', caller, seconds: 60 }] });
    const clock = { now: () => new Date(0) };
    const skewed = withClockSkew(key as unknown as SigningKey, clock, faults);
    const claims = { appid: '6F1D2C3B-1111-4222-8333-444455556666', upn: 'Ada@contoso.example' };
    expect(JSON.parse(await skewed.sign(claims, 10))).toMatchObject({ iat: 60, exp: 70 });
    const otherClaims = {
      appid: '7F1D2C3B-1111-4222-8333-444455556666',
      upn: 'grace@contoso.example',
    };
    expect(JSON.parse(await skewed.sign(otherClaims, 10))).toEqual(otherClaims);
  },
);
