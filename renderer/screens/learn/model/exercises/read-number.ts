import { parseBytes } from '../../../../../engine/bytes.ts';
import type { Unit } from './question.ts';

export type ReadNumber = { readonly value: number } | { readonly error: string };

/** Words that may stand behind a number, by what is counted. */
const WORDS: Readonly<Record<Unit, readonly string[]>> = {
  pebbles: ['pebble', 'pebbles'],
  forwards: ['forward', 'forwards'],
  layers: ['layer', 'layers'],
  elements: ['element', 'elements'],
  bytes: [],
  percent: ['%', 'percent'],
  plain: [],
};

const BETWEEN_DIGITS = /(?<=\d)[\s\u00a0\u202f\u2009'’_](?=\d{3}(?!\d))/g;
const PARTS = /^([+\-−]?(?:\d+(?:[.,]\d+)?|[.,]\d+)(?:\s*\/\s*\d+)?)\s*(.*)$/;
const SHOWN = 40;

/**
 * Reads what people type for a number: `12`, `12 pebbles`, `1 536 MiB`, `1.5 GiB`, `1,5 GiB`, `24 %`, `1/2`. What
 * cannot be read is said in one sentence that quotes it.
 */
export function readNumber(text: string, unit: Unit): ReadNumber {
  const plain = text.trim().replaceAll(BETWEEN_DIGITS, '');
  if (plain === '') return { error: `Type a number first, for example ${exampleOf(unit)}.` };
  const said = `“${text.trim().length > SHOWN ? `${text.trim().slice(0, SHOWN)}…` : text.trim()}”`;
  if (/\d,\d{3}(?!\d)/.test(plain)) {
    const [digits = plain] = /\d+,\d{3}/.exec(plain) ?? [];
    return {
      error: `${said} can mean two numbers. Write ${digits.replace(',', '')} or ${digits.replace(',', '.')}.`,
    };
  }
  if (unit === 'bytes') return readBytes(plain, said);
  const [, number = '', word = ''] = PARTS.exec(plain) ?? [];
  if (number === '') return { error: `${said} is not a number. Use digits, for example ${exampleOf(unit)}.` };
  const value = numberIn(number);
  if (value === null)
    return { error: `${said} is not a number. Use digits, for example ${exampleOf(unit)}.` };
  if (word === '' || WORDS[unit].includes(word.toLowerCase())) return { value };
  const wanted =
    unit === 'plain' ? 'a number alone' : unit === 'percent' ? 'a percentage' : `a number of ${unit}`;
  return {
    error: `${said} ends in “${word.slice(0, SHOWN)}”, but the answer is ${wanted}. Write ${number}.`,
  };
}

function readBytes(plain: string, said: string): ReadNumber {
  // A byte or two are nothing to a figure of three digits, but nought is.
  const bytes = parseBytes(plain.replace(/bytes?$/i, 'B'));
  if (bytes !== null) return { value: bytes };
  if (/^[\d.,]+$/.test(plain)) return { error: `${said} has no unit. Write ${plain} MiB, for example.` };
  return { error: `${said} is not an amount of memory. Write a number and its unit, for example 1.5 GiB.` };
}

function numberIn(number: string): number | null {
  const [above = '', below] = number.replace('−', '-').replaceAll(',', '.').split('/');
  const value = Number(above) / (below === undefined ? 1 : Number(below));
  return Number.isFinite(value) ? value : null;
}

const exampleOf = (unit: Unit): string =>
  unit === 'bytes' ? '1.5 GiB' : unit === 'percent' ? '12.5' : unit === 'plain' ? '0.25' : '12';
