package format

// Within formats to another width, so that tests see every break taken.
var Within = within
