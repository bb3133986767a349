/** One of the values that a field offers. */
export interface Option<Value extends string = string> {
  value: Value
  /** The value itself by default. */
  label?: string
  description?: string
}

/** Options that a query loads: `useQuery({ ...releasePlans.list(namespace), select: toOptions })`. */
export interface OptionsQuery {
  data?: readonly Option[]
  error: Error | null
  isFetching: boolean
  refetch: () => unknown
}

export type OptionSource = readonly Option[] | OptionsQuery

export const labelOf = ({ label, value }: Option): string => label ?? value

/** A select with more options than this can be searched. */
const longestPlainList = 10

export const isSearchable = (options: readonly Option[]): boolean => options.length > longestPlainList

/** The options whose label contains a text; those that start with it come first. */
export function matchOptions(options: readonly Option[], text: string): Option[] {
  const searchText = text.trim().toLowerCase()
  const found = options.map((option) => ({ option, at: labelOf(option).toLowerCase().indexOf(searchText) }))
  return [...found.filter(({ at }) => at === 0), ...found.filter(({ at }) => at > 0)].map(({ option }) => option)
}

/** What a field can offer. */
export interface OptionProps {
  options: OptionSource
  /** Offered in front of the others, also while a query loads those or after it failed. */
  fixedOptions?: readonly Option[]
  /** What the options are called, as in `Unable to load {noun}`; the label of the field without it. */
  optionsNoun?: string
}

export interface OptionState {
  options: readonly Option[]
  isLoading: boolean
  /** Why options are missing, and how to load them after all. */
  failure: { error: Error; isRetrying: boolean; retry: () => void } | undefined
  noun: string | undefined
}

const isList = (source: OptionSource): source is readonly Option[] => Array.isArray(source)

export function optionState({ options: source, fixedOptions = [], optionsNoun: noun }: OptionProps): OptionState {
  if (isList(source)) return { options: [...fixedOptions, ...source], isLoading: false, failure: undefined, noun }
  const { data, error, isFetching, refetch } = source
  return {
    options: [...fixedOptions, ...(data ?? [])],
    isLoading: !data && !error,
    failure: !data && error ? { error, isRetrying: isFetching, retry: () => void refetch() } : undefined,
    noun,
  }
}
