import {
  type BesideNetwork,
  type Experiment,
  experimentSchema,
  MAX_NETWORKS,
} from '../../../app/contract/experiment.ts';
import { fileNetworkName, MAX_CARRIED } from '../../../app/contract/opened-file.ts';
import { parseBudget, writeShare } from '../../../engine/options/budget.ts';
import { expectedOf, type OptionName, optionOf } from '../../../engine/options/options.ts';
import { OPTIONS } from '../../../engine/options/table.ts';
import { withinSentence } from '../../shared/format/sentence.ts';
import { formatCount } from '../../shared/format/numbers.ts';
import { PACKED } from '../../shared/packed-text.ts';
import { FIRST_EXPERIMENT, FIRST_SELECTED } from './experiment.ts';

/** Address of a view: `#/compare?model=resnet50&batch=64&strategies=regular,optimal`. */
export interface Address {
  readonly screen: string;
  readonly experiment: Experiment;
  /** The strategy in front, or none chosen. */
  readonly selected: string | null;
  /** A budget that is a share of the peak of regular training, until that peak is known. */
  readonly budgetShare?: number | undefined;
  /** Settings of the screen in front, under its own names. */
  readonly view?: Readonly<Record<string, string>>;
  /** Networks that the link brings along, packed, by the names that the experiment has for them. */
  readonly carried?: Carried;
}

export type Carried = Readonly<Record<string, string>>;

export interface ReadAddress extends Address {
  /** One sentence for each part that could not be read and was replaced. */
  readonly faults: readonly string[];
}

type Field = Exclude<keyof Experiment, 'strategies' | 'checkpoints' | 'also'>;

const FIELD_NAMES: readonly Field[] = ['model', ...(Object.keys(OPTIONS) as OptionName[])].filter(
  (name): name is Field => name !== 'checkpoints',
);

/** The option of a field; the network's name is none. */
const MODEL = { label: 'network', expected: 'the name of a network', isNumber: false };
/** A limit may be a fraction. */
const sayLimit = (value: number): string => (Number.isInteger(value) ? formatCount(value) : String(value));

function ruleOf(name: Field): typeof MODEL {
  if (name === 'model') return MODEL;
  const option = optionOf(name);
  const isNumber = 'min' in option;
  return { label: withinSentence(option.label), expected: expectedOf(option, sayLimit), isNumber };
}
const SHAPE = experimentSchema.shape;
const VIEW_PREFIX = 'v.';
const MAX_VIEW = 200;
const CARRIED = 'net';

/** Name in a link for a network that it carries. The lab that opens the link chooses its final name. */
const carriedName = (place: number): string => fileNetworkName(`link-${place + 1}`);
const CARRIED_NAME = /^file:link-[1-8]$/;

/** True when a name stands for a network that the link carries and that was not opened yet. */
export const isUnopened = (model: string): boolean => CARRIED_NAME.test(model);

/** The experiment with other names for its networks. */
export function renamed(experiment: Experiment, names: ReadonlyMap<string, string>): Experiment {
  const named = (model: string): string => names.get(model) ?? model;
  const { model, also } = experiment;
  const beside = also?.map((one) => ({ ...one, model: named(one.model) }));
  return { ...experiment, model: named(model), ...(beside === undefined ? {} : { also: beside }) };
}

export const modelsOf = ({ model, also = [] }: Experiment): readonly string[] => [
  ...new Set([model, ...also.map((beside) => beside.model)]),
];

export function writeAddress(address: Address): string {
  const brought = modelsOf(address.experiment).filter((model) => address.carried?.[model] !== undefined);
  const names = new Map(brought.map((model, place) => [model, carriedName(place)]));
  const experiment = renamed(address.experiment, names);
  const parts = FIELD_NAMES.filter(
    (name) => name === 'model' || name === 'batch' || experiment[name] !== FIRST_EXPERIMENT[name],
  ).map((name): [string, string] => [name, encodeURIComponent(String(experiment[name]))]);
  if (address.budgetShare !== undefined)
    parts.push(['budgetBytes', encodeURIComponent(writeShare(address.budgetShare))]);
  parts.push(['strategies', experiment.strategies.map(encodeURIComponent).join(',')]);
  const { checkpoints = [] } = experiment;
  if (checkpoints.length > 0) parts.push(['checkpoints', checkpoints.map(encodeURIComponent).join(',')]);
  const { also = [] } = experiment;
  if (also.length > 0) parts.push(['also', also.map(writeBeside).join(',')]);
  if (address.selected !== null) parts.push(['select', encodeURIComponent(address.selected)]);
  for (const [name, value] of Object.entries(address.view ?? {})) {
    parts.push([VIEW_PREFIX + encodeURIComponent(name), encodeURIComponent(value)]);
  }
  // Last, because it is long.
  if (brought.length > 0) parts.push([CARRIED, brought.map((model) => address.carried?.[model]).join(',')]);
  const query = parts.map(([name, value]) => `${name}=${value}`).join('&');
  return `#/${encodeURIComponent(address.screen)}?${query}`;
}

/** Reads what it can; everything else gets the value of a first visit and a sentence that says so. */
export function readAddress(hash: string, screens: readonly string[]): ReadAddress {
  const [path = '', ...rest] = hash.replace(/^#?\/?/, '').split('?');
  const query = new URLSearchParams(rest.join('?'));
  const faults: string[] = [];
  const values: Record<string, unknown> = {};
  let budgetShare: number | undefined;
  for (const name of FIELD_NAMES) {
    const text = query.get(name);
    if (text === null) continue;
    const { label, expected, isNumber } = ruleOf(name);
    const number = text.trim() === '' ? Number.NaN : Number(text);
    const budget = name === 'budgetBytes' && Number.isNaN(number) ? parseBudget(text) : null;
    if (budget !== null && 'share' in budget) {
      budgetShare = budget.share;
      continue;
    }
    const value = budget === null ? (isNumber ? number : text) : budget.bytes;
    const read = SHAPE[name].safeParse(value);
    if (read.success && read.data !== undefined) values[name] = read.data;
    else faults.push(`The link’s ${label} “${short(text)}” is not ${expected}, so the default is used.`);
  }
  const strategies = query.get('strategies');
  if (strategies !== null) {
    const names = [...new Set(strategies.split(',').map((name) => name.trim()))].filter(
      (name) => name !== '',
    );
    const read = SHAPE.strategies.safeParse(names);
    if (read.success) values['strategies'] = read.data;
    else faults.push('The link’s strategies cannot be read, so the default ones are compared.');
  }
  const checkpoints = query.get('checkpoints');
  if (checkpoints !== null) {
    const read = SHAPE.checkpoints.safeParse([...new Set(checkpoints.split(',').filter((id) => id !== ''))]);
    if (read.success) values['checkpoints'] = read.data;
    else faults.push('The link’s checkpoints cannot be read, so they are left out.');
  }
  const also = query.get('also');
  if (also !== null) {
    const read = SHAPE.also.safeParse(
      also
        .split(',')
        .filter((text) => text !== '')
        .map(readBeside),
    );
    if (read.success) values['also'] = read.data;
    else faults.push('The link’s further networks cannot be read, so they are left out.');
  }
  const carried = readCarried(query.get(CARRIED), faults);
  const selected = query.get('select') ?? (strategies === null ? FIRST_SELECTED : null);
  return {
    screen: readScreen(path, screens, faults),
    experiment: experimentSchema.parse({ ...FIRST_EXPERIMENT, ...values }),
    selected: selected === null || selected === '' || selected.length > 40 ? null : selected,
    ...(budgetShare === undefined ? {} : { budgetShare }),
    ...readView(query),
    ...carried,
    faults,
  };
}

function readCarried(text: string | null, faults: string[]): Pick<Address, 'carried'> {
  if (text === null) return {};
  const packed = text.split(',');
  if (text.length > MAX_CARRIED || packed.length > MAX_NETWORKS || !packed.every((one) => PACKED.test(one))) {
    faults.push('The link’s network cannot be read: it is damaged or too large.');
    return {};
  }
  return { carried: Object.fromEntries(packed.map((one, place) => [carriedName(place), one])) };
}

/** `vgg16`, `vgg16@32`, `gpt2@8x512`, `gpt2@x512`: a batch and an input of its own. */
function writeBeside({ model, batch, input }: BesideNetwork): string {
  const size = `${batch ?? ''}${input === undefined ? '' : `x${input}`}`;
  return encodeURIComponent(model) + (size === '' ? '' : `@${size}`);
}

function readBeside(text: string): Readonly<Record<string, unknown>> {
  const [, model = text, batch, input] = /^([^@]+)@(\d*)(?:x(\d+))?$/.exec(text) ?? [];
  return {
    model,
    ...(batch === undefined || batch === '' ? {} : { batch: Number(batch) }),
    ...(input === undefined ? {} : { input: Number(input) }),
  };
}

function readView(query: URLSearchParams): Pick<Address, 'view'> {
  const named = [...query].filter(
    ([name, value]) => name.startsWith(VIEW_PREFIX) && value.length <= MAX_VIEW,
  );
  if (named.length === 0) return {};
  return { view: Object.fromEntries(named.map(([name, value]) => [name.slice(VIEW_PREFIX.length), value])) };
}

function readScreen(path: string, screens: readonly string[], faults: string[]): string {
  const first = screens[0] ?? 'compare';
  let wanted: string;
  try {
    wanted = decodeURIComponent(path);
  } catch {
    wanted = path;
  }
  if (wanted === '' || screens.includes(wanted)) return wanted || first;
  faults.push(unknownScreen(wanted));
  return first;
}

export const unknownScreen = (name: string): string =>
  `There is no screen “${short(name)}”, so this one is shown.`;

const short = (text: string): string => (text.length > 24 ? `${text.slice(0, 24)}…` : text);
