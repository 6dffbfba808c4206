import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { CastellanError } from '../../../core/errors/castellan-error.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';
import type { ForwardingSettings } from '../config/settings.js';
import { parseList } from './field-value.js';
import { Refusal } from './refusal.js';
import type { ScrubbedHeaders } from './request-headers.js';

/** An origin of the app. */
export interface PublicOrigin {
  /** Scheme, host and port, such as `https://app.example` (RFC 6454, 6.2). */
  readonly serialized: string;
  /** In the form of a `Host` header, in lower case. */
  readonly host: string;
  /** Whether its scheme is https. */
  readonly isSecure: boolean;
}

/**
 * Parses the origin in a command line flag.
 *
 * @param example an origin for the error message.
 * @throws CAS6004 for anything but an http(s) origin
 */
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
    return { serialized: origin, host: host.toLowerCase(), isSecure: protocol === 'https:' };
  });
}

/** How a request arrived: the origin that it was sent to, its scheme, and its client. */
export interface Arrival {
  /** The app's origin that the request was sent to, not its header `Origin`. */
  readonly origin: PublicOrigin;
  /** `unknown`: plain HTTP, and no trusted proxy reports the client's scheme. */
  readonly scheme: 'http' | 'https' | 'unknown';
  /** Whether the peer's forwarding headers are trusted. */
  readonly isTrusted: boolean;
  /** Address of the client, as far as known. */
  readonly client: string;
  /** `X-Forwarded-*` lines for the app. */
  readonly forwardingLines: string;
}

/** Determines how a request arrived; one instance per configuration. */
export class OriginResolver {
  private readonly originsByHost: ReadonlyMap<string, readonly PublicOrigin[]>;
  /** The headers in which a trusted proxy reports the host and scheme that the client used. */
  private readonly headerNames: { readonly host?: string; readonly proto?: string };

  constructor(
    readonly origins: readonly PublicOrigin[],
    private readonly forwarding: ForwardingSettings,
    private readonly isTrustedProxy: IsTrustedProxy,
    private readonly usesTls: boolean,
  ) {
    const byHost = new Map<string, PublicOrigin[]>();
    for (const origin of origins)
      byHost.set(origin.host, [...(byHost.get(origin.host) ?? []), origin]);
    this.originsByHost = byHost;
    const { convention, hostHeader, protoHeader } = forwarding;
    this.headerNames =
      convention === 'Custom'
        ? omitUndefined({ host: hostHeader, proto: protoHeader })
        : { host: 'x-forwarded-host', proto: 'x-forwarded-proto' };
  }

  /** @throws Refusal 421 for a foreign host, 400 for contradictory headers of a trusted proxy. */
  resolve(headers: ScrubbedHeaders, peer: string): Arrival {
    const trustedPeer = this.isTrustedProxy(peer);
    const usesForwardingHeaders = trustedPeer && this.forwarding.convention !== 'NoProxy';
    const { proto: protoName, host: hostName } = this.headerNames;
    const proto = usesForwardingHeaders ? this.forwardedValue(headers, protoName) : undefined;
    const host =
      (usesForwardingHeaders ? this.forwardedValue(headers, hostName) : undefined) ??
      headers.host ??
      '';
    if (proto !== undefined && !/^https?$/i.test(proto))
      throw new Refusal(400, 'The forwarded protocol is neither http nor https.');
    const scheme = this.usesTls
      ? 'https'
      : ((proto?.toLowerCase() as 'http' | 'https' | undefined) ??
        (trustedPeer ? 'https' : 'unknown'));
    const candidates = this.originsByHost.get(host) ?? this.originsByHost.get(host.toLowerCase());
    const origin =
      candidates?.length === 1
        ? candidates[0]
        : (candidates?.find(({ isSecure }) => isSecure === (scheme === 'https')) ??
          candidates?.[0]);
    if (origin === undefined) throw new Refusal(421, 'This host is not served here.');
    const trustedHops = usesForwardingHeaders ? this.trustedHops(headers) : [];
    const client = trustedHops[0] ?? peer;
    const originScheme = origin.isSecure ? 'https' : 'http';
    const hops = trustedHops.length === 0 ? peer : `${trustedHops.join(', ')}, ${peer}`;
    return {
      origin,
      scheme,
      isTrusted: usesForwardingHeaders,
      client,
      forwardingLines: `X-Forwarded-For: ${hops}\r\nX-Forwarded-Proto: ${originScheme}\r\nX-Forwarded-Host: ${origin.host}\r\n`,
    };
  }

  /** The only value of a forwarding header. */
  private forwardedValue(headers: ScrubbedHeaders, name: string | undefined): string | undefined {
    let singleValue: string | undefined;
    for (const [header, list] of headers.forwarding) {
      if (header !== name) continue;
      for (const value of parseList(list)) {
        if (value !== (singleValue ??= value))
          throw new Refusal(400, `The header ${name} has several values.`);
      }
    }
    return singleValue;
  }

  /**
   * The trusted part of `X-Forwarded-For`: the trusted proxies at its end and the address before
   * them, which is the client.
   */
  private trustedHops({ forwarding }: ScrubbedHeaders): string[] {
    const hops: string[] = [];
    for (const [name, list] of forwarding)
      if (name === 'x-forwarded-for') hops.push(...parseList(list));
    const trustedAddresses: string[] = [];
    for (let hop = hops.pop(); hop !== undefined; hop = hops.pop()) {
      hop = unmappedAddress(withoutPort(hop));
      if (isIP(hop) === 0) break;
      trustedAddresses.unshift(hop);
      if (!this.isTrustedProxy(hop)) break;
    }
    return trustedAddresses;
  }
}

/** An address of `X-Forwarded-For` without the port that some proxies add: `[2001:db8::1]:443`. */
function withoutPort(hop: string): string {
  const match = /^\[([^\]]*)\](?::\d+)?$|^([^:]+):\d+$/.exec(hop);
  return match?.[1] ?? match?.[2] ?? hop;
}

/** Whether a peer is one of the trusted proxies. */
export type IsTrustedProxy = (address: string) => boolean;

/**
 * The check for trusted proxies.
 *
 * @param ranges addresses or CIDR ranges of `--trusted-proxies`; none: no one is trusted.
 * @throws CAS6004 for anything else.
 */
export function trustedProxyCheck(ranges: readonly string[]): IsTrustedProxy {
  if (ranges.length === 0) return () => false;
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', prefixLength, ...more] = range.split('/');
    const family = isIP(address);
    const maxPrefixLength = family === 6 ? 128 : 32;
    if (
      family === 0 ||
      more.length > 0 ||
      (prefixLength !== undefined &&
        (!/^\d{1,3}$/.test(prefixLength) || Number(prefixLength) > maxPrefixLength))
    )
      throw new CastellanError(
        'CAS6004',
        `--trusted-proxies: "${range}" is not an address or a CIDR range such as 10.0.0.0/8`,
      );
    list.addSubnet(
      address,
      prefixLength === undefined ? maxPrefixLength : Number(prefixLength),
      family === 6 ? 'ipv6' : 'ipv4',
    );
  }
  // Most requests come through the same proxy, so that the last result is usually needed again.
  let lastCheck = { text: '', isTrusted: false };
  return (text) => {
    if (text === lastCheck.text) return lastCheck.isTrusted;
    const address = unmappedAddress(text);
    const family = isIP(address);
    const isTrusted = family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4');
    lastCheck = { text, isTrusted };
    return isTrusted;
  };
}

/** The address of a request's peer: its client, or a proxy. */
export function peerOf({ socket }: IncomingMessage): string {
  return unmappedAddress(socket.remoteAddress ?? '');
}

/** An address without the IPv6 mapping (`::ffff:`) that a dual-stack socket adds to IPv4 addresses. */
export function unmappedAddress(address: string): string {
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
}
