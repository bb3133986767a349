/** The values of a choice that is a condition. */
export const yesOrNo = (isTrue: boolean): 'yes' | 'no' => (isTrue ? 'yes' : 'no')
