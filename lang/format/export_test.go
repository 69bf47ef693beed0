package format

// FormatToWidth formats to another width, so that tests exercise every line break.
var FormatToWidth = formatToWidth
