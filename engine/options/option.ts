/** Facts that every option states, whatever its values are. */
interface Stated {
  /** On the command line, without its dashes; in Python with underscores. */
  readonly flag: string;
  /** Its other name on the command line. */
  readonly otherFlag?: string;
  /** Above its field, in a report, and in a sentence about a link. */
  readonly label: string;
  /** In the command line's help. */
  readonly help: string;
  /** The placeholder of its value in the help. */
  readonly value: string;
  /**
   * First thing that it changes: the graph, the plan, the memory beside the activations, the times that transfers to
   * host memory take (and the plans of strategies that read a link), or only the view.
   */
  readonly changes: Changes;
  /** True for an option that language models alone have. */
  readonly ofLanguageModels?: true;
  /** The option of a strategy that it is a part of, where that has another name. */
  readonly partOf?: 'link';
  /** The list of rarer fields has a field for it: always, or where a strategy that is compared reads it. */
  readonly field?: 'always' | 'where-read';
  /** The value that an experiment need not state: a field removes the option when it is chosen. */
  readonly implied?: string | number;
}

export type Changes = 'graph' | 'plan' | 'memory' | 'link' | 'view';

interface NumberOption extends Stated {
  readonly is: 'whole' | 'number' | 'bytes';
  readonly min: number;
  readonly max: number;
  readonly unit?: string;
  /** The value of every experiment that states no other. */
  readonly usual?: number;
  /** In an empty field: the value that is then taken. */
  readonly placeholder?: string;
}

interface ChoiceOption extends Stated {
  readonly is: 'choice';
  readonly of: readonly string[];
  readonly usual?: string;
  /** Set by its flag alone, which takes no value. */
  readonly flagValue?: string;
  /** Longer names, for reports. */
  readonly titles?: Readonly<Record<string, string>>;
  /** The meaning of each value, below its field. */
  readonly says?: Readonly<Record<string, string>>;
}

interface IdsOption extends Stated {
  /** Ids of operations. */
  readonly is: 'ids';
}

interface FileOption extends Stated {
  /** A path on the command line, its name in the lab. */
  readonly is: 'file';
}

export type Option = NumberOption | ChoiceOption | IdsOption | FileOption;
