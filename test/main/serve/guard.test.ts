import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { SOCKET_PROTOCOL, TOKEN_PROTOCOL_PREFIX } from '../../../app/contract/socket.ts';
import { admitUpgrade, exchangeKey, refuseRequest } from '../../../main/serve/guard.ts';
import { SessionKeys } from '../../../main/serve/keys.ts';

const OTHER_HOST = 'this lab answers on 127.0.0.1 and localhost only';
const NOT_OURS = 'this lab answers only its own page';
const NO_KEY = 'open the address that "zigzag serve" printed';

const asking = (headers: IncomingHttpHeaders): IncomingMessage =>
  ({
    headers,
    headersDistinct: headers.host === undefined ? {} : { host: [headers.host] },
  }) as unknown as IncomingMessage;
const keys = new SessionKeys(() => undefined);
const session = keys.exchange(keys.printed) ?? '';
const PAGE = { host: '127.0.0.1:4000', origin: 'http://127.0.0.1:4000' };

describe('a request', () => {
  it.each(['127.0.0.1', 'localhost', '127.0.0.1:1', 'localhost:65535'])(
    'is accepted at the host %s, from no page or its own',
    (host) => {
      expect(refuseRequest(asking({ host }))).toBeNull();
      expect(refuseRequest(asking({ host, origin: `http://${host}` }))).toBeNull();
    },
  );

  it.each([
    ...[undefined, '', '127.0.0.1:', '127.0.0.1:123456', '127.0.0.1:4000x', '127.0.0.1:x4000'],
    ...['x127.0.0.1:4000', '127.0.0.1.example', '127x0.0.1', '127.0x0.1', '127.0.0x1'],
    ...['localhost.example:4000', 'example', 'evil.example', '127.0.0.1.evil.example'],
    ...['127.0.0.1evil.example', 'localhost.evil.example', 'evil.localhost', 'evillocalhost'],
    ...['evil.example:127.0.0.1', '127.0.0.1:80:80', '127.0.0.1:80@evil.example', 'user@127.0.0.1'],
    ...['127.0.0.1/evil', '127.0.0.1 evil.example', '127.0.0.1, evil.example', '127.1', '127.0.0.2'],
    ...['2130706433', '0x7f000001', '0.0.0.0', '[::1]', '[::ffff:127.0.0.1]'],
  ])('is refused at the host %s', (host) => {
    expect(refuseRequest(asking(host === undefined ? {} : { host }))).toBe(OTHER_HOST);
  });

  it.each([
    ...['', 'null', 'file://', 'http://127.0.0.1:40000', 'http://127.0.0.1:400', 'http://127.0.0.1:4000/'],
    ...['http://127.0.0.1', 'https://127.0.0.1:4000', 'ws://127.0.0.1:4000', 'http://localhost:4000'],
    ...[
      'xhttp://127.0.0.1:4000',
      'HTTP://127.0.0.1:4000',
      'http://evil@127.0.0.1:4000',
      'http://evil.example',
    ],
    ...['http://127.0.0.1:4000.evil.example', 'http://evil.example/http://127.0.0.1:4000'],
    'http://127.0.0.1:4000 http://evil.example',
  ])('is refused from the origin %j', (origin) => {
    expect(refuseRequest(asking({ ...PAGE, origin }))).toBe(NOT_OURS);
  });
});

describe('an exchange of keys', () => {
  const exchanged = (authorization: string | undefined, headers: IncomingHttpHeaders = PAGE) =>
    exchangeKey(asking(authorization === undefined ? headers : { ...headers, authorization }), keys);

  it('returns the session for a key', () => {
    expect(exchanged(`Bearer ${keys.printed}`)).toEqual({ session, cookie: null });
  });

  it.each([
    undefined,
    '',
    'KEY',
    'Basic KEY',
    'bearer KEY',
    'xBearer KEY',
    'Bearer KEY ',
    'Bearer KEYG',
    'Bearer KEY0',
    'Bearer  KEY',
    'Bearer ',
    `Bearer ${'0'.repeat(65)}`,
  ])('is refused with %j', (authorization) => {
    expect(exchanged(authorization?.replace('KEY', keys.printed))).toEqual({ refusal: NO_KEY });
  });

  it('ignores keys from other pages, so that one-time keys stay valid', () => {
    const once = keys.issueOnce();
    const { host } = PAGE;
    expect(exchanged(`Bearer ${once}`, { host })).toEqual({ refusal: NOT_OURS });
    expect(exchanged(`Bearer ${once}`, { ...PAGE, origin: 'null' })).toEqual({ refusal: NOT_OURS });
    expect(exchanged(`Bearer ${once}`, { ...PAGE, host: 'example' })).toEqual({ refusal: OTHER_HOST });
    expect(exchanged(`Bearer ${once}`)).toMatchObject({ session: expect.stringMatching(/^[0-9a-f]{32}$/) });
  });
});

describe('a WebSocket', () => {
  const admitted = (protocols: string | undefined, headers: IncomingHttpHeaders = PAGE) =>
    admitUpgrade(
      asking(protocols === undefined ? headers : { ...headers, 'sec-websocket-protocol': protocols }),
      keys,
    );
  /** KEY stands for a key's offer, and SESSION for a key: names of tests are the same in every run. */
  const filled = (protocols: string | undefined) =>
    protocols?.replace('KEY', `${TOKEN_PROTOCOL_PREFIX}${session}`).replace('SESSION', session);

  it.each([
    `${SOCKET_PROTOCOL}, KEY`,
    `KEY,${SOCKET_PROTOCOL}`,
    ` ${SOCKET_PROTOCOL} ,  KEY `,
    `${SOCKET_PROTOCOL}, ${TOKEN_PROTOCOL_PREFIX}0, KEY, other`,
  ])('is admitted with %j', (protocols) => {
    expect(admitted(filled(protocols))).toEqual({ session });
  });

  it.each([
    undefined,
    '',
    SOCKET_PROTOCOL,
    'KEY',
    `${SOCKET_PROTOCOL}, SESSION`,
    `${SOCKET_PROTOCOL}, ${TOKEN_PROTOCOL_PREFIX}`,
    `${SOCKET_PROTOCOL}, ${TOKEN_PROTOCOL_PREFIX}PRINTED`,
    `${SOCKET_PROTOCOL}, xKEY`,
    `${SOCKET_PROTOCOL} KEY`,
    // As long as the prefix, and another.
    `${SOCKET_PROTOCOL}, ${'x'.repeat(TOKEN_PROTOCOL_PREFIX.length)}SESSION`,
    `${SOCKET_PROTOCOL}x, KEY`,
  ])('is refused with %j', (protocols) => {
    expect(admitted(filled(protocols)?.replace('PRINTED', keys.printed))).toEqual({ refusal: NO_KEY });
  });

  it('is refused for other pages, with any key', () => {
    const { host } = PAGE;
    expect(admitted(filled(`${SOCKET_PROTOCOL}, KEY`), { host })).toEqual({ refusal: NOT_OURS });
    const rebound = { host: 'example', origin: 'http://example' };
    expect(admitted(filled(`${SOCKET_PROTOCOL}, KEY`), rebound)).toEqual({ refusal: OTHER_HOST });
  });
});
