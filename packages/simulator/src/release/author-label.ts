const maxLabelLength = 63

/** A user name as the value of the author label. Source: release-service, api/v1alpha1/webhooks/author/webhook.go. */
export const sanitizeLabelValue = (username: string): string =>
  username.replaceAll(':', '_').replace('@', '.').slice(0, maxLabelLength)
