<?xml version="1.0" encoding="ISO-8859-1"?>
<document signature="Hero Lab Portfolio">
<product major="3" minor="8" patch="1" build="267"/>
<game folder="pathfinder" game="Pathfinder Roleplaying Game" major="6" minor="9"/>
<portfolio herocount="2" activehero="2">
<tactical combatturn="0"/>
<notes/>
<hero playername="" nextpick="525" heroindex="2" herosummary="Marsh Temptress &#150; CR 7" heroname="Marsh Temptress">
<statblock>Tiny horns and reed wings betray her.
--------------------
MARSH TEMPTRESS	CR 7
Male Demon, Temptress
CE Medium Outsider (Chaotic, Demon, Evil, Extraplanar)
Init +3; Senses Darkvision; Perception +21
--------------------
DEFENSE
--------------------
AC 20, touch 13, flat-footed 17   (+3 Dex, +7 natural)
hp 84 (8d10+40)
Fort +7, Ref +9, Will +10
DR 10/good or cold iron; Immune electricity, fire, poison; Resist acid 10, cold 10, fire 10; SR 18
--------------------
OFFENSE
--------------------
Spd 30 ft., Flight (50 feet, Average)
Melee Claw x2 (Demon, Temptress) +11 x2 (1d6+1/20/x2) and
   Unarmed Strike +11/+6 (1d3+1/20/x2)
Spell-Like Abilities Charm Monster (At will), Detect Good (Constant), Dominate Person (1/day)
--------------------
STATISTICS
--------------------
Str 13,  Dex 17,  Con 20,  Int 18,  Wis 14,  Cha 27
Base Atk +8; CMB +9; CMD 22
Feats Agile Maneuvers, Combat Reflexes, Iron Will, Weapon Finesse
Skills Bluff +27, Fly +14
Languages Abyssal, Celestial
SQ Change Shape

Hero Lab&#174; and the Hero Lab logo are Registered Trademarks of LWD Technology, Inc. Free download at http://www.wolflair.com</statblock>
<container index="0" chosencount="0" pickcount="144">
<notes/>
<pick thing="AllCraft" index="10"><reference bootindex="13"/></pick>
<pick thing="AllKnow" index="11"/>
</container>
</hero>
<hero playername="" heroindex="3" herosummary="Dwarf Ftr 6 &#150; CR 5" heroname="Durra Flint">
<statblock>DURRA FLINT	CR 5
Female Dwarf Fighter 6
LN Medium Humanoid (Dwarf)
Init +1; Senses Darkvision (60 feet); Perception +1
--------------------
DEFENSE
--------------------
AC 21, touch 11, flat-footed 20   (+8 armor, +1 Dex, +2 shield)
hp 58 (6d10+18)
Fort +8, Ref +3, Will +3
Defensive Abilities Defensive Training
--------------------
OFFENSE
--------------------
Spd 20 ft.
Melee +1 Dwarven waraxe +11/+6 (1d10+4/20/x3) and
   Dagger +9/+4 (1d4+3/19-20/x2)
Ranged Crossbow, Light +7 (1d8/19-20/x2)
--------------------
STATISTICS
--------------------
Str 14/16,  Dex 13,  Con 16,  Int 10,  Wis 12,  Cha 6
Base Atk +6; CMB +9; CMD 20
Feats Power Attack -2/+4, Weapon Focus: Dwarven waraxe
Skills Climb +3
Languages Common, Dwarven
Combat Gear +1 Dwarven waraxe, Banded mail +1, Shield, Heavy Wooden, Crossbow, Light
</statblock>
<container index="0"/></hero>
</portfolio></document>
