import { BlockList, isIP } from 'node:net';
import { CastellanError } from '../../../core/errors/castellan-error.js';

/** Whether a peer is one of the proxies whose forwarding headers are believed. */
export type TrustedProxies = (address: string) => boolean;

/**
 * @param ranges addresses or CIDR ranges of `--trusted-proxies`; none: no one is trusted.
 * @throws CAS6004 for anything else.
 */
export function trustedProxies(ranges: readonly string[]): TrustedProxies {
  if (ranges.length === 0) return () => false;
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    const family = isIP(address);
    const most = family === 6 ? 128 : 32;
    if (family === 0 || (bits !== undefined && (!/^\d{1,3}$/.test(bits) || Number(bits) > most)))
      throw new CastellanError('CAS6004', `--trusted-proxies: "${range}" is not an address or a CIDR range such as 10.0.0.0/8`);
    list.addSubnet(address, bits === undefined ? most : Number(bits), family === 6 ? 'ipv6' : 'ipv4');
  }
  return (given) => {
    const address = plainAddress(given);
    const family = isIP(address);
    return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4');
  };
}

/** An IPv4 address that a dual-stack socket shows as IPv6, in its own form. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
}
