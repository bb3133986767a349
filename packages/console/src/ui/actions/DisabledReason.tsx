interface DisabledReasonProps {
  reason: string
  /** Whether pressing the control explains more. */
  isExplained: boolean
}

/** The tooltip of a disabled control. */
export const DisabledReason = ({ reason, isExplained }: DisabledReasonProps) => (
  <>
    {reason}
    {isExplained && <p>Select it to see who can give you access.</p>}
  </>
)
