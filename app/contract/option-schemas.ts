import { z } from 'zod';
import type { Changes, Option } from '../../engine/options/option.ts';
import { type OptionName, optionOf, optionsThatChange } from '../../engine/options/options.ts';
import type { OPTIONS } from '../../engine/options/table.ts';
import { PLAN_NAME } from './opened-file.ts';

type Plain<Declared extends Option> = Declared extends { readonly of: readonly (infer Name extends string)[] }
  ? z.ZodEnum<{ readonly [Value in Name]: Value }>
  : Declared extends { readonly is: 'ids' }
    ? z.ZodArray<z.ZodString>
    : Declared extends { readonly is: 'file' }
      ? z.ZodString
      : z.ZodNumber;

type Schema<Declared extends Option> = Declared extends { readonly usual: string | number }
  ? z.ZodDefault<Plain<Declared>>
  : z.ZodOptional<Plain<Declared>>;

type NamesThatChange<Change extends Changes> = {
  [Name in OptionName]: (typeof OPTIONS)[Name]['changes'] extends Change ? Name : never;
}[OptionName];

type Schemas<Name extends OptionName> = { readonly [Key in Name]: Schema<(typeof OPTIONS)[Key]> };

function plain(option: Option): z.ZodType {
  switch (option.is) {
    case 'choice':
      return z.enum(option.of);
    case 'ids':
      return z.array(z.string().min(1).max(200)).max(4096);
    case 'file':
      return z.string().regex(PLAN_NAME);
    case 'bytes':
      return z.number().positive().max(option.max);
    default: {
      const within = z.number().min(option.min).max(option.max);
      return option.is === 'whole' ? within.int() : within;
    }
  }
}

/** The options of the table as fields of a request: absent where they may be, or with the usual value. */
function optionSchemas<Name extends OptionName>(names: readonly Name[]): Schemas<Name> {
  const schemaOf = (option: Option): z.ZodType =>
    'usual' in option && option.usual !== undefined
      ? plain(option).default(option.usual)
      : plain(option).optional();
  return Object.fromEntries(names.map((name) => [name, schemaOf(optionOf(name))])) as Schemas<Name>;
}

/** The options that change one of these first, as fields of a request. */
const optionsOf = <const Name extends Changes>(...changes: readonly Name[]) =>
  optionSchemas(optionsThatChange(...changes)) as Schemas<NamesThatChange<Name>>;

export const GRAPH_OPTIONS = optionsOf('graph');
export const PLAN_AND_LINK_OPTIONS = optionsOf('plan', 'link');
export const MEMORY_OPTIONS = optionsOf('memory');
export const EXPERIMENT_OPTIONS = optionsOf('graph', 'memory', 'plan', 'link', 'view');
