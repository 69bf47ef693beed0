[(block) (text_block) (list) (group)] @fold
