import type { KubeObject } from '@slipway/kube/object'
import type { ReactNode } from 'react'
import { nameParameter } from '../../paths'
import { RelativeTime } from '../text/RelativeTime'
import { statusWidthsRem, valueWidthsRem } from './column-widths'
import type { ChoiceFilter, Column, TextFilter } from './rows'

/** The fields of a column in which one table differs. */
type Differences<T, A> = Partial<Column<T, A>>

/** The column that names the rows and sorts by name. @param of returns the name of a row */
export const nameColumn = <T, A = void>(
  of: (row: NoInfer<T>) => string,
  differences?: Differences<T, A>,
): Column<T, A> => ({ id: 'name', label: 'Name', isRowHeader: true, sortBy: of, cell: of, ...differences })

/**
 * A column of statuses, as wide as the longest one.
 * @param longest the kind of word that the longest one is
 */
export const statusColumn = <T, A = void>(
  longest: keyof typeof statusWidthsRem,
  cell: (row: T, at: A) => ReactNode,
  differences?: Differences<T, A>,
): Column<T, A> => ({ id: 'status', label: 'Status', widthRem: statusWidthsRem[longest], cell, ...differences })

/** A column of times, shown as ages, and as wide as the longest one; a first click sorts the latest first. @param timeOf returns RFC 3339 */
export const ageColumn = <T, A = void>(
  id: string,
  label: string,
  timeOf: (row: NoInfer<T>) => string | undefined,
  differences?: Differences<T, A>,
): Column<T, A> => ({
  id,
  label,
  sortBy: timeOf,
  firstDirection: 'desc',
  widthRem: valueWidthsRem.age,
  cell: (row) => <RelativeTime time={timeOf(row)} />,
  ...differences,
})

/** For `ageColumn`. */
export const creationTimeOf = ({ metadata }: KubeObject): string | undefined => metadata.creationTimestamp

/** The filter by name, or by a text with the name in it. */
export const byName = <T,>(text: (row: T) => string): TextFilter<T> => ({ id: nameParameter, label: 'name', text })

/** The filter by status. @param values every status, in the order of the choices */
export const byStatus = <T,>(choices: ChoiceFilter<T>['choices'], values: readonly string[]): ChoiceFilter<T> => ({
  id: 'status',
  label: 'Status',
  choices,
  values,
})
