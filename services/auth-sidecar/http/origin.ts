import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { CastellanError } from '../../../core/errors/castellan-error.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';
import type { ForwardingSettings } from '../config/settings.js';
import { listMembers } from './optional-whitespace.js';
import { Refusal } from './refusal.js';
import type { ScrubbedHeaders } from './request-headers.js';

/** An origin of the app. */
export interface PublicOrigin {
  /** Scheme, host and port, such as `https://app.example`. */
  readonly origin: string;
  /** In the form of a `Host` header, in lower case. */
  readonly host: string;
  readonly secure: boolean;
}

/** Parses a flag's origin. @throws CAS6004 for anything but an http(s) origin */
export function parseOrigin(flag: string, text: string, example: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const { protocol, pathname, search, hash, username } = url ?? {};
  const isBare = pathname === '/' && `${search ?? ''}${hash ?? ''}${username ?? ''}` === '';
  if (url === undefined || !/^https?:$/.test(protocol ?? '') || !isBare)
    throw new CastellanError('CAS6004', `${flag}: "${text}" is not an origin such as ${example}`);
  return url;
}

/** Parses `--public-origin`. @throws CAS6004 */
export function parseOrigins(input: readonly string[]): PublicOrigin[] {
  return input.map((text) => {
    const { origin, host, protocol } = parseOrigin('--public-origin', text, 'https://app.example');
    return { origin, host: host.toLowerCase(), secure: protocol === 'https:' };
  });
}

/** The origin of a request: its client, and the address that it used. */
export interface Arrival {
  readonly origin: PublicOrigin;
  /** `unknown`: plain HTTP, and no trusted proxy reports the client's scheme. */
  readonly scheme: 'http' | 'https' | 'unknown';
  /** Whether the peer's forwarding headers are trusted. */
  readonly isTrusted: boolean;
  /** Address of the client, as far as known. */
  readonly client: string;
  /** `X-Forwarded-*` lines for the app. */
  readonly lines: string;
}

/** Determines a request's origin; one instance per configuration. */
export class OriginResolver {
  private readonly byHost: ReadonlyMap<string, readonly PublicOrigin[]>;
  /** The headers that say what the client asked a trusted proxy for. */
  private readonly names: { readonly host?: string; readonly proto?: string };

  constructor(
    readonly origins: readonly PublicOrigin[],
    private readonly forwarding: ForwardingSettings,
    private readonly trustedProxies: TrustedProxies,
    private readonly tls: boolean,
  ) {
    const byHost = new Map<string, PublicOrigin[]>();
    for (const origin of origins)
      byHost.set(origin.host, [...(byHost.get(origin.host) ?? []), origin]);
    this.byHost = byHost;
    const { convention, hostHeader, protoHeader } = forwarding;
    this.names =
      convention === 'Custom'
        ? omitUndefined({ host: hostHeader, proto: protoHeader })
        : { host: 'x-forwarded-host', proto: 'x-forwarded-proto' };
  }

  /** @throws Refusal 421 for a foreign host, 400 for contradictory headers of a trusted proxy. */
  resolve(headers: ScrubbedHeaders, peer: string): Arrival {
    const trustedPeer = this.trustedProxies(peer);
    const believes = trustedPeer && this.forwarding.convention !== 'NoProxy';
    const { proto: protoName, host: hostName } = this.names;
    const proto = believes ? this.valueOf(headers, protoName) : undefined;
    const host = (believes ? this.valueOf(headers, hostName) : undefined) ?? headers.host ?? '';
    if (proto !== undefined && !/^https?$/i.test(proto))
      throw new Refusal(400, 'The forwarded protocol is neither http nor https.');
    const scheme = this.tls
      ? 'https'
      : ((proto?.toLowerCase() as 'http' | 'https' | undefined) ??
        (trustedPeer ? 'https' : 'unknown'));
    const candidates = this.byHost.get(host) ?? this.byHost.get(host.toLowerCase());
    const origin =
      candidates?.length === 1
        ? candidates[0]
        : (candidates?.find(({ secure }) => secure === (scheme === 'https')) ?? candidates?.[0]);
    if (origin === undefined) throw new Refusal(421, 'This host is not served here.');
    const chain = believes ? this.chain(headers) : [];
    const client = chain[0] ?? peer;
    const ownScheme = origin.secure ? 'https' : 'http';
    const hops = chain.length === 0 ? peer : `${chain.join(', ')}, ${peer}`;
    return {
      origin,
      scheme,
      isTrusted: believes,
      client,
      lines: `X-Forwarded-For: ${hops}\r\nX-Forwarded-Proto: ${ownScheme}\r\nX-Forwarded-Host: ${origin.host}\r\n`,
    };
  }

  /** The only value of a forwarding header. */
  private valueOf(headers: ScrubbedHeaders, name: string | undefined): string | undefined {
    let only: string | undefined;
    for (const [header, list] of headers.forwarding) {
      if (header !== name) continue;
      for (const value of listMembers(list)) {
        if (value !== (only ??= value))
          throw new Refusal(400, `The header ${name} has several values.`);
      }
    }
    return only;
  }

  /**
   * The trusted part of `X-Forwarded-For`: the trusted proxies at its end and the address before
   * them.
   */
  private chain({ forwarding }: ScrubbedHeaders): string[] {
    const hops: string[] = [];
    for (const [name, list] of forwarding)
      if (name === 'x-forwarded-for') hops.push(...listMembers(list));
    const trusted: string[] = [];
    for (let hop = hops.pop(); hop !== undefined; hop = hops.pop()) {
      hop = plainAddress(hop);
      if (isIP(hop) === 0) break;
      trusted.unshift(hop);
      if (!this.trustedProxies(hop)) break;
    }
    return trusted;
  }
}

/** Whether a peer is one of the trusted proxies. */
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
      throw new CastellanError(
        'CAS6004',
        `--trusted-proxies: "${range}" is not an address or a CIDR range such as 10.0.0.0/8`,
      );
    list.addSubnet(
      address,
      bits === undefined ? most : Number(bits),
      family === 6 ? 'ipv6' : 'ipv4',
    );
  }
  // Most requests come by the same proxy.
  let last = { text: '', isTrusted: false };
  return (text) => {
    if (text === last.text) return last.isTrusted;
    const address = plainAddress(text);
    const family = isIP(address);
    const isTrusted = family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4');
    last = { text, isTrusted };
    return isTrusted;
  };
}

/** The address of a request's peer: its client, or a proxy. */
export function peerOf({ socket }: IncomingMessage): string {
  return plainAddress(socket.remoteAddress ?? '');
}

/** An IPv4 address that a dual-stack socket shows as IPv6, in its own form. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
}
