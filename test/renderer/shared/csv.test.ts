import { expect, it } from 'vitest';
import { toCsv } from '../../../renderer/shared/charts/csv.ts';

it('quotes fields that need it and ends every line with CRLF', () => {
  const table = {
    caption: '',
    columns: ['name', 'bytes'],
    rows: [['a, "b"', 3] as const, ['c', null] as const],
  };
  expect(toCsv(table)).toBe('name,bytes\r\n"a, ""b""",3\r\nc,\r\n');
});
