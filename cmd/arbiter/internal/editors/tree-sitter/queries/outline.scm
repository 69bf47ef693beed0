(declaration keyword: (keyword) @context name: (_) @name) @item
