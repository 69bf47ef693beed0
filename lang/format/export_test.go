package format

// Within formats to another width, so that tests exercise every line break.
var Within = within
