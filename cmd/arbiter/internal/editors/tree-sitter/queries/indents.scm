; For Neovim's and for Helix's names of the same.
[(block) (list) (group)] @indent.begin @indent
["}" "]" ")"] @indent.branch @outdent
(text_block) @indent.ignore
