"""Surnames so frequent that abstracts name them too: rarity does not tell these from words. None that is an
English word, a month, a place or a mathematician's beside ("Long", "May", "Jordan", "Young")."""

FREQUENT = frozenset(
    """
ahmed akhtar ali alvarez andersen anderson bai bauer becker bui cai cao carlsson castro chang chao chaudhary chen
cheng chiang cho choi chowdhury chu costa cui dai das davies deng diaz ding dong du duan evans fernandez ferreira
feng fischer fu gao garcia gomez gonzalez gupta guo hansen hao hernandez hoang hoffmann hou hsieh hsu hu huang huynh
hwang ibrahim ito ivanov jain jang jensen jha jia jiang jin johansson johnson jones kang kaur keller khan kim kobayashi
koh kowalski krause krishnan kumar kwon larsen lai lam lau lee leung li liang liao lin ling liu lopez lu luo lv
martinez martin mehta meng meyer miller mishra mohammed moreno morgan müller murphy nakamura nguyen ni nielsen novak
oliveira olsen ortiz ouyang pan pandey park patel pei peng perez petersen pham phan popov qi qian qiao qin qiu rao
reddy ramirez ramos richter rodriguez rossi roy ruan sanchez santos sato schmid schmidt schneider schröder schulz
shah shao sharma shen shi shin silva singh smith song sørensen souza sun suzuki takahashi tan tanaka tang tian torres
tran tsai tu tung verma vo wagner wang watanabe weber wei wen weng williams wilson wong wu xia xiang xiao xie xiong xu
xue yamada yamamoto yan yang yao ye yin yoon yoshida yu yuan yue zeng zhan zhang zhao zheng zhong zhou zhu zimmermann
zou
""".split()
)
