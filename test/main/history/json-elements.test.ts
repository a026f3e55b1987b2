import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutElements } from '../../../main/history/json-elements.ts';
import { bytesOf } from './pass.ts';

function cut(text: string, most = 100) {
  const bytes = bytesOf(text);
  const { skeleton, pieces, longest } = cutElements(bytes, most);
  const decoder = new TextDecoder();
  return {
    skeleton,
    longest,
    pieces: pieces.map(({ from, to }) => decoder.decode(bytes.subarray(from, to))),
  };
}

describe('cutting the elements out of lists', () => {
  it('leaves their places in the lists of the object, and all else as it was', () => {
    expect(cut('{"a": [1, {"b":[2,3]} , [4]], "c": 5, "d":["x"]}')).toEqual({
      skeleton: '{"a": [0, 1, 2], "c": 5, "d":[3]}',
      pieces: ['1', '{"b":[2,3]} ', '[4]', '"x"'],
      longest: 3,
    });
  });

  it('takes brackets, commas and quotes in texts for text', () => {
    const text = '{"a]":["[,]{}", "\\"]", "\\\\", "]"],"b":"[1,2]"}';
    expect(cut(text)).toEqual({
      skeleton: '{"a]":[0, 1, 2, 3],"b":"[1,2]"}',
      pieces: ['"[,]{}"', '"\\"]"', '"\\\\"', '"]"'],
      longest: 4,
    });
  });

  it('knows the four kinds of space, and a list of nothing else as empty', () => {
    expect(cut('{"a":[ \n\r\t],"b":[\t1,\r\n2]}')).toEqual({
      skeleton: '{"a":[ \n\r\t],"b":[\t0,\r\n1]}',
      pieces: ['1', '2'],
      longest: 2,
    });
  });

  it('cuts nothing outside of the lists of an object: the list of a list, an inner object', () => {
    for (const text of ['{"a":{"b":[1]}}', '[{"b":1}]', '7', '', '{}']) {
      expect(cut(text)).toEqual({ skeleton: text, pieces: [], longest: 0 });
    }
    // Nor an inner object that comes after a list.
    expect(cut('{"a":[7],"b":{"c":1,"d":2}}')).toMatchObject({
      skeleton: '{"a":[0],"b":{"c":1,"d":2}}',
      pieces: ['7'],
    });
    expect(cut('[[1,2]]')).toEqual({ skeleton: '[[0,1]]', pieces: ['1', '2'], longest: 2 });
  });

  it('counts all elements of the longest list, and cuts as many as are wanted', () => {
    expect(cut('{"a":[7,8,9],"b":[6]}', 2)).toEqual({
      skeleton: '{"a":[0,1],"b":[2]}',
      pieces: ['7', '8', '6'],
      longest: 3,
    });
  });

  it('leaves what is cut short as something that is no JSON', () => {
    for (const text of ['{"a":[1', '{"a":[1,', '{"a":["', '{"a":["\\', '{"a']) {
      const { skeleton } = cut(text);
      expect(() => JSON.parse(skeleton)).toThrow(SyntaxError);
    }
    expect(() => cutElements(Uint8Array.of(0x7b, 0xff, 0x7d), 1)).toThrow(TypeError);
  });

  it('gives back any document of lists', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.array(fc.jsonValue()), { maxKeys: 4 }),
        fc.constantFrom(0, 1, 3),
        (document, indent) => {
          const { skeleton, pieces, longest } = cut(JSON.stringify(document, null, indent), 1000);
          const places = JSON.parse(skeleton) as Record<string, number[]>;
          const whole = Object.entries(places).map(([key, list]) => [
            key,
            list.map((place) => JSON.parse(pieces[place] ?? '')),
          ]);
          expect(JSON.stringify(Object.fromEntries(whole))).toBe(JSON.stringify(document));
          expect(longest).toBe(Math.max(0, ...Object.values(document).map((list) => list.length)));
        },
      ),
    );
  });
});
